const SEPARATORS = new Set(["&&", "||", ";", "|", "&", "\n"]);
const TOKEN = /'[^']*'|"(?:\\.|[^"\\])*"|\\.|&&|\|\||[;|&\n]|[^\s;|&'"\\]+|[^\S\n]+/gs;

/** The commands of a block, each as its words, without comments, assignments before a command and line continuations. */
export function shellCommands(text: string): readonly (readonly string[])[] {
  const commands: string[][] = [];
  let words: string[] = [];
  let word = "";
  const endWord = () => {
    if (word !== "") words.push(word);
    word = "";
  };
  const withoutComments = text.replaceAll("\\\n", " ").replaceAll(/(^|\s)#.*$/gm, "$1");
  for (const [token] of `${withoutComments}\n`.matchAll(TOKEN)) {
    if (SEPARATORS.has(token)) {
      endWord();
      commands.push(words);
      words = [];
    } else if (token.trim() === "") {
      endWord();
    } else {
      word += token;
    }
  }
  return commands
    .map((command) => command.slice(command.findIndex((part) => !/^[A-Z_][A-Z0-9_]*=/.test(part))))
    .filter((command) => command.length > 0 && !/^[A-Z_][A-Z0-9_]*=/.test(command[0] ?? ""));
}
