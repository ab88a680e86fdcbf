/** The description of a property, with an example if none can be derived from its schema. */
export type PropertyText = string | { readonly text: string; readonly example: unknown };

/**
 * Descriptions by property name, or by the end of the property's path if the name is ambiguous, such as `timings.dns`.
 * The longest match applies, so one text can serve every schema with that property.
 */
export type PropertyTexts = Readonly<Record<string, PropertyText>>;
