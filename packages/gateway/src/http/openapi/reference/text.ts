/** What the document says of a property: a sentence or two, and an example where none follows from its schema. */
export type PropertyText = string | { readonly text: string; readonly example: unknown };

/**
 * Texts by the place of a property: its name, or the end of its path where the name alone says too little, such as
 * `timings.dns`. The longest end that fits counts, so one text serves every schema that has the property.
 */
export type PropertyTexts = Readonly<Record<string, PropertyText>>;
