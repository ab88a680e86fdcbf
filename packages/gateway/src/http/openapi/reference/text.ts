/** The description of a property, with an example if its schema does not yield one. */
export type PropertyText = string | { readonly text: string; readonly example: unknown };

/**
 * Descriptions by property name, or by the end of the property's path where the name is ambiguous, such as `timings.dns`.
 * The longest match applies, so one text can serve every schema with the property.
 */
export type PropertyTexts = Readonly<Record<string, PropertyText>>;
