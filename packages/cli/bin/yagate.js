#!/usr/bin/env node
// npm links a command only if its file is there when it installs; dist/ is built afterwards.
await import("../dist/main.js");
