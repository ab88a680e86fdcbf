import ts from "typescript";

/** The sources that run in a gateway and reach others through the egress package only: those of every package but these. */
const GUARDED = /^packages\/(?!(?:protocol|handler|client|egress|cli|bench)\/)[^/]+\/src\//;
/** The store reaches its own database without the guard. */
const DATABASE = /^packages\/store\/src\/postgres\//;

/** Modules that talk to others, or start something that does. */
const CLOSED: ReadonlySet<string> = new Set([
  "undici",
  "https",
  "http2",
  "tls",
  "dgram",
  "dns",
  "dns/promises",
  "child_process",
  "cluster",
  "inspector",
  "repl",
]);

/** What of a module sends nothing by itself; types may be imported from all. */
const HARMLESS: Readonly<Record<string, ReadonlySet<string>>> = {
  http: new Set(["createServer", "STATUS_CODES"]),
  net: new Set(["BlockList", "isIP", "isIPv4", "isIPv6", "SocketAddress"]),
};

/** Modules with one function that fetches. */
const FETCHING: Readonly<Record<string, ReadonlySet<string>>> = { jose: new Set(["createRemoteJWKSet"]) };

/** Stands for a module as a whole. */
const WHOLE = "all";
const LOADERS: ReadonlySet<string> = new Set(["import", "require", "getBuiltinModule"]);
const GLOBALS: ReadonlySet<string> = new Set(["fetch", "WebSocket", "EventSource", "XMLHttpRequest"]);
const GLOBAL_OBJECTS: ReadonlySet<string> = new Set(["globalThis", "global", "self", "window"]);

/** Whether the rule is for a path. */
export function isGuarded(path: string): boolean {
  return GUARDED.test(path);
}

/**
 * The ways out of the gateway that a source opens beside the egress package, such as `request of node:http`. The
 * store reaches its own database without it. A plain `fetch` is not found here, since any parameter may have that name:
 * the linter knows scopes, and refuses it.
 */
export function waysOut(path: string, text: string): readonly string[] {
  if (!isGuarded(path)) return [];
  const isDatabase = DATABASE.test(path);
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node)) return;
    found.push(...waysOfNode(node, isDatabase));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function waysOfNode(node: ts.Node, isDatabase: boolean): readonly string[] {
  if (ts.isImportDeclaration(node)) {
    const clause = node.importClause;
    const isTypeOnly = clause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
    return isTypeOnly ? [] : waysOfModule(node.moduleSpecifier, importedNames(clause), isDatabase);
  }
  if (ts.isExportDeclaration(node)) {
    const { exportClause: clause, moduleSpecifier, isTypeOnly } = node;
    const names = clause !== undefined && ts.isNamedExports(clause) ? valueNames(clause.elements) : [WHOLE];
    return isTypeOnly ? [] : waysOfModule(moduleSpecifier, names, isDatabase);
  }
  if (ts.isCallExpression(node)) {
    if (!LOADERS.has(calleeName(node.expression))) return [];
    return waysOfModule(node.arguments[0], destructuredNames(node), isDatabase);
  }
  if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression)) {
    const isGlobal = GLOBAL_OBJECTS.has(node.expression.text) && GLOBALS.has(node.name.text);
    return isGlobal ? [`${node.expression.text}.${node.name.text}`] : [];
  }
  return [];
}

function waysOfModule(
  specifier: ts.Expression | undefined,
  names: readonly string[],
  isDatabase: boolean,
): readonly string[] {
  if (specifier === undefined || !ts.isStringLiteralLike(specifier)) return [];
  const module = specifier.text.replace(/^node:/, "");
  if (CLOSED.has(module) || module.startsWith("undici/") || (module === "pg" && !isDatabase)) return [specifier.text];
  const harmless = HARMLESS[module];
  const isOpen = (name: string) =>
    harmless === undefined
      ? (FETCHING[module]?.has(name) ?? false) || (name === WHOLE && module in FETCHING)
      : !harmless.has(name) && !(isDatabase && module === "net");
  return names.filter(isOpen).map((name) => `${name} of ${specifier.text}`);
}

/** Names of values; a default or a namespace import means the complete module. */
function importedNames(clause: ts.ImportClause | undefined): readonly string[] {
  if (clause === undefined) return [WHOLE];
  const { name, namedBindings } = clause;
  const named =
    namedBindings === undefined
      ? []
      : ts.isNamespaceImport(namedBindings)
        ? [WHOLE]
        : valueNames(namedBindings.elements);
  return name === undefined ? named : [WHOLE, ...named];
}

function valueNames(elements: readonly (ts.ImportSpecifier | ts.ExportSpecifier)[]): readonly string[] {
  return elements.filter(({ isTypeOnly }) => !isTypeOnly).map(({ name, propertyName }) => (propertyName ?? name).text);
}

/** The names in `const { a, b } = require(…)`; any other use of the result means the complete module. */
function destructuredNames({ parent }: ts.CallExpression): readonly string[] {
  if (!ts.isVariableDeclaration(parent) || !ts.isObjectBindingPattern(parent.name)) return [WHOLE];
  return parent.name.elements.map(({ name, propertyName, dotDotDotToken }) => {
    const own = propertyName ?? name;
    return dotDotDotToken === undefined && ts.isIdentifier(own) ? own.text : WHOLE;
  });
}

function calleeName(callee: ts.Expression): string {
  if (callee.kind === ts.SyntaxKind.ImportKeyword) return "import";
  if (ts.isPropertyAccessExpression(callee)) return callee.name.text;
  return ts.isIdentifier(callee) ? callee.text : "";
}
