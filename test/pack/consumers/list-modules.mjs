import { registerHooks } from "node:module";

// Prints the files that importing a package loads.
const [specifier] = process.argv.slice(2);
const urls = [];
registerHooks({
  load(url, context, nextLoad) {
    if (url.startsWith("file:")) urls.push(url);
    return nextLoad(url, context);
  },
});
await import(specifier);
process.stdout.write(urls.join("\n"));
