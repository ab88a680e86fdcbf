/** A shop for pets, in the words of OpenAPI 3.0. */
export const PET_SHOP = `
openapi: 3.0.3
info: { title: Pet shop, version: 1.4.0 }
servers:
  - url: https://{region}.pets.example.com/v2/
    variables: { region: { default: eu, enum: [eu, us] } }
security:
  - api_key: []
tags: [{ name: pets }]
paths:
  /pets:
    get:
      operationId: findPets
      tags: [pets]
      summary: Finds pets
      parameters:
        - $ref: '#/components/parameters/Limit'
        - { name: status, in: query, explode: false, schema: { type: array, items: { type: string, enum: [available, sold] } } }
        - { name: tags, in: query, schema: { type: array, items: { type: string } } }
        - { name: api_key, in: header, schema: { type: string } }
        - { name: X-Trace, in: header, schema: { type: string, format: uuid } }
        - { name: session, in: cookie, schema: { type: string } }
        - { name: old, in: query, deprecated: true, schema: { type: string } }
        - { name: filter, in: query, style: deepObject, schema: { type: object, properties: { a: { type: string } } } }
      responses: { '200': { description: Pets } }
    post:
      operationId: addPet
      description: Adds a pet.
      security: [{ oauth: [write] }]
      requestBody: { $ref: '#/components/requestBodies/Pet' }
      responses: { '201': { description: The pet } }
  /pets/{petId}:
    parameters:
      - { name: petId, in: path, required: true, description: Number of the pet., schema: { type: integer, format: int64, minimum: 0, exclusiveMinimum: true } }
    get:
      operationId: getPetById
      security: []
      responses: { '200': { description: A pet } }
    patch:
      summary: Changes a pet
      requestBody:
        required: true
        content:
          application/merge-patch+json:
            schema:
              type: object
              properties:
                name: { type: string, nullable: true }
      responses: { '200': { description: The pet } }
    delete:
      operationId: deletePet
      deprecated: true
      parameters: [{ name: petId, in: path, required: true, schema: { type: string } }]
      responses: { '204': { description: Gone } }
    head:
      responses: { '200': { description: Yes } }
  /pets/{petId}/photo:
    put:
      operationId: uploadPhoto
      parameters: [{ name: petId, in: path, required: true, schema: { type: integer } }]
      requestBody:
        required: true
        content: { image/png: { schema: { type: string, format: binary } } }
      responses: { '200': { description: Stored } }
  /session:
    post:
      operationId: login-user
      security: []
      requestBody:
        required: true
        content:
          application/x-www-form-urlencoded:
            schema: { type: object, required: [user], properties: { user: { type: string }, remember: { type: boolean } } }
      responses: { '200': { description: Welcome } }
components:
  parameters:
    Limit: { name: limit, in: query, description: Most results., schema: { type: integer, minimum: 1, maximum: 100, default: 20 } }
  requestBodies:
    Pet:
      required: true
      content:
        application/xml: { schema: { $ref: '#/components/schemas/Pet' } }
        application/json: { schema: { $ref: '#/components/schemas/Pet' } }
  schemas:
    Pet:
      allOf:
        - $ref: '#/components/schemas/Named'
        - type: object
          required: [kind]
          properties:
            id: { type: integer, readOnly: true }
            kind: { type: string, enum: [cat, dog], nullable: true }
            price: { type: number, minimum: 0, exclusiveMinimum: true, example: 9.5 }
            parents: { type: array, maxItems: 2, items: { $ref: '#/components/schemas/Pet' } }
            owner: { oneOf: [{ $ref: '#/components/schemas/Named' }, { type: string }] }
    Named:
      type: object
      required: [name]
      properties: { name: { type: string, pattern: '^\\S', xml: { attribute: true } } }
  securitySchemes:
    api_key: { type: apiKey, in: header, name: api_key }
    oauth: { type: oauth2, flows: { clientCredentials: { tokenUrl: https://pets.example.com/token, scopes: { write: Write } } } }
`;
