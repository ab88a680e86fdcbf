import ts from "typescript";

export interface ImportStatement {
  readonly specifier: string;
  /** Whether nothing of it is left when the types are gone. */
  readonly isTypeOnly: boolean;
}

/** Every module that a source names: static and dynamic imports, re-exports, `require`, import types, worker files. */
export function readImports(text: string): readonly ImportStatement[] {
  const source = ts.createSourceFile("module.ts", text, ts.ScriptTarget.Latest);
  const found: ImportStatement[] = [];
  const visit = (node: ts.Node): void => {
    const statement = toStatement(node);
    if (statement !== undefined) found.push(statement);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function toStatement(node: ts.Node): ImportStatement | undefined {
  if (ts.isImportDeclaration(node)) {
    return named(node.moduleSpecifier, node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword);
  }
  if (ts.isExportDeclaration(node)) return named(node.moduleSpecifier, node.isTypeOnly);
  if (ts.isImportTypeNode(node))
    return ts.isLiteralTypeNode(node.argument) ? named(node.argument.literal, true) : undefined;
  if (ts.isCallExpression(node) && isLoading(node.expression)) return named(node.arguments[0], false);
  if (ts.isNewExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === "URL") {
    const statement = named(node.arguments?.[0], false);
    return statement?.specifier.startsWith(".") && /\.[cm]?[jt]s$/.test(statement.specifier) ? statement : undefined;
  }
  return undefined;
}

function isLoading(callee: ts.Expression): boolean {
  return callee.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(callee) && callee.text === "require");
}

function named(literal: ts.Node | undefined, isTypeOnly: boolean): ImportStatement | undefined {
  return literal !== undefined && ts.isStringLiteralLike(literal) ? { specifier: literal.text, isTypeOnly } : undefined;
}
