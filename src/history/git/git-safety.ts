/**
 * What every git that we start has in common. A repository, its settings and what is in it may have come from somebody
 * else: whatever those could make git run is off, and only the user's own settings may turn something on again.
 */
const settings: readonly (readonly [string, string])[] = [
  // A clone can bring a folder that looks like a repository of its own, with settings of its own.
  ["safe.bareRepository", "explicit"],
  ["core.hooksPath", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["core.untrackedCache", "false"],
  ["core.alternateRefsCommand", "false"],
  ["core.quotePath", "false"],
  ["core.pager", "cat"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  // Signatures are neither made nor looked at: both start a program that settings name.
  ["commit.gpgSign", "false"],
  ["tag.gpgSign", "false"],
  ["push.gpgSign", "false"],
  ["log.showSignature", "false"],
  ["merge.verifySignatures", "false"],
  ["gpg.program", "false"],
  ["gpg.openpgp.program", "false"],
  ["gpg.x509.program", "false"],
  ["gpg.ssh.program", "false"],
  ["submodule.recurse", "false"],
  ["fetch.recurseSubmodules", "false"],
  ["protocol.ext.allow", "never"],
];

/** Arguments before the command; further settings go after ours. */
export function safeArguments(more: readonly (readonly [string, string])[] = []): readonly string[] {
  return [...settings, ...more].flatMap(([key, value]) => ["-c", `${key}=${value}`]);
}

/**
 * The environment of a git that stays on this machine: of the variables that steer git only those that `keeps` names.
 * What is missing in a partial clone is not fetched, since that runs what the clone's settings say.
 */
export function safeEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  keeps: RegExp = /^$/,
): Readonly<Record<string, string | undefined>> {
  const kept = Object.entries(env).filter(([name]) => !/^(GIT_|LC_|LANG)/i.test(name) || keeps.test(name));
  return {
    ...Object.fromEntries(kept),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GCM_INTERACTIVE: "never",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "none",
    GIT_PAGER: "cat",
    GIT_EDITOR: "false",
    GIT_SEQUENCE_EDITOR: "false",
  };
}

/** The environment of a git that goes by no settings but those that we give it. */
export function secludedEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  return {
    ...safeEnvironment(env),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_SYSTEM: "/dev/null",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_GRAFT_FILE: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    // Older versions than 2.32 know no other way to leave the user's own settings out.
    HOME: "/dev/null",
    XDG_CONFIG_HOME: "/dev/null",
  };
}
