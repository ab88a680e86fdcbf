// Plain JavaScript, because it must run and print its message on any version of Node.
const major = Number(process.versions.node.split(".")[0]);
if (major < 24) {
  console.error(
    `Yagate's scripts run on Node 24; this is Node ${process.versions.node}. "npm ci" installs Node 24 from the npm ` +
      "registry on Linux (x64, arm64) and Windows (x64): run it without --ignore-scripts or --omit=optional and start " +
      'scripts with "npm run". On other systems install Node 24 first.',
  );
  process.exit(1);
}
