const WINDOWS = [
  ...["APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATH", "PATHEXT", "PROCESSOR_ARCHITECTURE"],
  ...["PROGRAMDATA", "PROGRAMFILES", "PROGRAMFILES(X86)", "PROGRAMW6432", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP"],
  ...["USERNAME", "USERPROFILE", "WINDIR"],
];

/** The variables that every stdio server gets, which are those of the official SDK's client. */
export const INHERITED: readonly string[] =
  process.platform === "win32" ? WINDOWS : ["HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"];

/**
 * Returns the environment of a stdio server. Nothing else of this process's environment is passed on, because it
 * contains keys.
 *
 * @param named - the variables that the configuration names.
 */
export function environmentOf(named: Readonly<Record<string, string>>): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of INHERITED) {
    const value = process.env[name];
    // Old versions of bash export functions as variables.
    if (value !== undefined && !value.startsWith("()")) environment[name] = value;
  }
  return { ...environment, ...named };
}
