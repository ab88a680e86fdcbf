import { type PythonType, typeOfValue } from "./python-type.ts";

/**
 * Whether the type of a value is accepted, and whether this is only because the acceptable values have the same type.
 */
export interface TypeVerdict {
  readonly isAccepted: boolean;
  /** The value stands for a variable: its type is that of the acceptable values, not that of the schema. */
  readonly isVariable: boolean;
}

interface DeclaredTypes {
  readonly declared: PythonType;
  /** The type of the items; absent for values that are not lists. */
  readonly items?: PythonType | undefined;
}

/** Checks the type of a value, and one level deeper that of the items of a list. */
export function checkType(
  value: unknown,
  alternatives: readonly unknown[],
  { declared, items }: DeclaredTypes,
): TypeVerdict {
  const answered = answeredType(alternatives);
  const isVariable = answered !== undefined && answered !== declared;
  if (fits(value, declared)) {
    if (items === undefined || !Array.isArray(value)) return { isAccepted: true, isVariable };
    return { isAccepted: alternatives.some((one) => fitItems(value, one, items)), isVariable };
  }
  return { isAccepted: answered !== undefined && typeOfValue(value) === answered, isVariable: true };
}

/** An alternative that is not a list accepts items of any type, as in the leaderboard's own checker. */
function fitItems(value: readonly unknown[], alternative: unknown, items: PythonType): boolean {
  if (!Array.isArray(alternative)) return true;
  return value.every((item) => checkType(item, alternative, { declared: items }).isAccepted);
}

function fits(value: unknown, declared: PythonType): boolean {
  return typeOfValue(value) === declared;
}

/** Returns the type of the first alternative that is a value; `""` only means that the argument may be absent. */
function answeredType(alternatives: readonly unknown[]): PythonType | undefined {
  const first = alternatives.find((one) => one !== "");
  return first === undefined ? undefined : typeOfValue(first);
}
