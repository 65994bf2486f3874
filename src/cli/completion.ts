import { Argument, Command } from "commander";
import { type Io, print } from "./output.ts";

const shells = ["bash", "zsh", "fish"] as const;

type Shell = (typeof shells)[number];

/** One command as a shell needs to know it. */
interface Entry {
  /** The names below the program, parted by blanks: “agent list”. */
  readonly path: string;
  readonly commands: readonly Word[];
  readonly flags: readonly Flag[];
  /** The choices of the command's own arguments. */
  readonly words: readonly string[];
}

interface Word {
  readonly word: string;
  readonly help: string;
}

interface Flag extends Word {
  readonly short: string | undefined;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

/** `recollect completion SHELL`: a script made from the commands themselves, so that it cannot be out of date. */
export function completionCommand(io: Io): Command {
  return new Command("completion")
    .description("print a script that completes commands and options in your shell")
    .addArgument(new Argument("<shell>", "the shell").choices(shells))
    .action((shell: Shell, _, command: Command) => {
      print(io, false, writers[shell](entriesOf(rootOf(command))), {});
    })
    .addHelpText(
      "after",
      `
Install:
  bash  echo 'source <(recollect completion bash)' >> ~/.bashrc
  zsh   echo 'source <(recollect completion zsh)' >> ~/.zshrc        (after compinit)
  fish  recollect completion fish > ~/.config/fish/completions/recollect.fish`,
    );
}

function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent);
}

function entriesOf(command: Command, path = ""): Entry[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const entry: Entry = {
    path,
    commands: commands.map((each) => ({ word: each.name(), help: firstLine(help.subcommandDescription(each)) })),
    flags: help.visibleOptions(command).map((option) => ({
      word: option.long ?? option.short ?? "",
      short: option.long === undefined ? undefined : option.short,
      help: firstLine(option.description),
      takesValue: option.required || option.optional,
      choices: option.argChoices ?? [],
    })),
    words: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
  };
  return [entry, ...commands.flatMap((each) => entriesOf(each, `${path} ${each.name()}`.trim()))];
}

function firstLine(text: string): string {
  return text.split("\n")[0] ?? "";
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

const writers: Record<Shell, (entries: readonly Entry[]) => string> = { bash, zsh, fish };

function wordsOf({ commands, flags, words }: Entry): string[] {
  return [...commands.map(({ word }) => word), ...words, ...flags.map(({ word }) => word)];
}

function namesOf({ word, short }: Flag): string[] {
  return short === undefined ? [word] : [word, short];
}

/** `path|--flag` of the options with choices, for a `case` of a shell. */
function choiceCases(entries: readonly Entry[]): { pattern: string; flag: Flag }[] {
  return entries.flatMap(({ path, flags }) =>
    flags
      .filter(({ choices }) => choices.length > 0)
      .map((flag) => ({
        flag,
        pattern: namesOf(flag)
          .map((name) => quoted(`${path}|${name}`))
          .join(" | "),
      })),
  );
}

/** Which options of which commands take a value. Commands with the same ones share a line. */
interface Valued {
  /** What most commands take, the settings above all: written once. */
  readonly shared: readonly string[];
  readonly groups: readonly {
    readonly paths: readonly string[];
    readonly takesShared: boolean;
    readonly own: readonly string[];
  }[];
}

function valuedOf(entries: readonly Entry[]): Valued {
  const groups = new Map<string, { paths: string[]; options: string[] }>();
  for (const { path, flags } of entries) {
    const options = flags.filter(({ takesValue }) => takesValue).flatMap(namesOf);
    if (options.length === 0) continue;
    const key = options.toSorted().join(" ");
    const group = groups.get(key) ?? { paths: [], options };
    groups.set(key, group);
    group.paths.push(path);
  }
  const all = [...groups.values()];
  const shared = all.toSorted((one, other) => other.paths.length - one.paths.length)[0]?.options ?? [];
  return {
    shared,
    groups: all.map(({ paths, options }) => {
      const takesShared = shared.every((option) => options.includes(option));
      return { paths, takesShared, own: takesShared ? options.filter((one) => !shared.includes(one)) : options };
    }),
  };
}

/** A function that sets `valued` to the options of a command that take a value, with blanks around each. */
function valuedFunction(entries: readonly Entry[]): string {
  const { shared, groups } = valuedOf(entries);
  const cases = groups.map(({ paths, takesShared, own }) => {
    const words = own.length === 0 ? "" : quoted(` ${own.join(" ")} `);
    return `    ${paths.map(quoted).join(" | ")}) valued=${takesShared ? '"$shared"' : ""}${words} ;;`;
  });
  return `_recollect_valued() {
  local shared=${quoted(` ${shared.join(" ")} `)}
  case "$1" in
${[...cases, "    *) valued='' ;;"].join("\n")}
  esac
}`;
}

/** Which command the words before the cursor name; the value of an option is no command. (`path` is PATH in zsh.) */
function pathLoop(entries: readonly Entry[], words: string, first: number, last: string): string {
  const paths = entries.filter(({ path }) => path !== "").map(({ path }) => quoted(path));
  return `  local place="" skip="" valued="" word next i
  _recollect_valued ""
  for ((i = ${first}; i < ${last}; i++)); do
    word="\${${words}[i]}"
    if [[ -n $skip ]]; then [[ $word == "=" ]] || skip=""; continue; fi
    if [[ $valued == *" $word "* ]]; then skip=1; continue; fi
    next="\${place:+$place }$word"
    case "$next" in
      ${paths.join(" | ")}) place="$next"; _recollect_valued "$place" ;;
    esac
  done`;
}

function bash(entries: readonly Entry[]): string {
  const choices = choiceCases(entries);
  return `# recollect completion for bash. Load it with: source <(recollect completion bash)
${valuedFunction(entries)}
_recollect() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}"
  # Bash parts --option=value into three words.
  if [[ $cur == "=" ]]; then cur=""; elif [[ $prev == "=" ]]; then prev="\${COMP_WORDS[COMP_CWORD-2]}"; fi
${pathLoop(entries, "COMP_WORDS", 1, "COMP_CWORD")}
  COMPREPLY=()
  case "$place|$prev" in
${choices.map(({ pattern, flag }) => `    ${pattern}) COMPREPLY=($(compgen -W ${quoted(flag.choices.join(" "))} -- "$cur")); return ;;`).join("\n")}
  esac
  if [[ $valued == *" $prev "* ]]; then compopt -o default 2> /dev/null; return; fi
  case "$place" in
${entries.map((entry) => `    ${quoted(entry.path)}) COMPREPLY=($(compgen -W ${quoted(wordsOf(entry).join(" "))} -- "$cur")) ;;`).join("\n")}
  esac
}
complete -F _recollect recollect`;
}

function zsh(entries: readonly Entry[]): string {
  const choices = choiceCases(entries);
  const described = ({ word, help }: Word) => quoted(`${word}:${help}`);
  return `#compdef recollect
# recollect completion for zsh. Load it after compinit with: source <(recollect completion zsh)
${valuedFunction(entries)}
_recollect() {
${pathLoop(entries, "words", 2, "CURRENT")}
  local -a found
  case "$place|\${words[CURRENT-1]}" in
${choices.map(({ pattern, flag }) => `    ${pattern}) compadd -- ${flag.choices.map(quoted).join(" ")}; return ;;`).join("\n")}
  esac
  if [[ $valued == *" \${words[CURRENT-1]} "* ]]; then _files; return; fi
  case "$place" in
${entries
  .map((entry) => {
    const words = entry.words.map((word) => ({ word, help: "" }));
    return `    ${quoted(entry.path)}) found=(${[...entry.commands, ...words, ...entry.flags].map(described).join(" ")}) ;;`;
  })
  .join("\n")}
  esac
  _describe recollect found
}
compdef _recollect recollect`;
}

function fish(entries: readonly Entry[]): string {
  const { shared, groups } = valuedOf(entries);
  const valued = groups.map(({ paths, takesShared, own }) => {
    const words = [...(takesShared ? ["$shared"] : []), ...own.map(quoted)].join(" ");
    return `    case ${paths.map(quoted).join(" ")}\n      printf '%s\\n' ${words}`;
  });
  const paths = entries.filter(({ path }) => path !== "").map(({ path }) => quoted(path));
  const lines = entries.flatMap((entry) => {
    const at = `complete -c recollect -n ${quoted(`__recollect_at "${entry.path}"`)}`;
    return [
      ...entry.commands.map(({ word, help }) => `${at} -f -a ${quoted(word)} -d ${quoted(help)}`),
      ...entry.words.map((word) => `${at} -f -a ${quoted(word)}`),
      ...entry.flags.map((flag) => `${at} ${fishFlag(flag)} -d ${quoted(flag.help)}`),
    ];
  });
  return `# recollect completion for fish. Save it as ~/.config/fish/completions/recollect.fish
function __recollect_valued
  set -l shared ${shared.map(quoted).join(" ")}
  switch "$argv[1]"
${valued.join("\n")}
  end
end
function __recollect_at
  set -l place ""
  set -l skip 0
  for word in (commandline -opc)[2..]
    if test $skip = 1
      set skip 0
      continue
    end
    if contains -- $word (__recollect_valued "$place")
      set skip 1
      continue
    end
    set -l next (string trim -- "$place $word")
    if contains -- $next ${paths.join(" ")}
      set place $next
    end
  end
  test "$place" = "$argv[1]"
end
${lines.join("\n")}`;
}

function fishFlag({ word, short, takesValue, choices }: Flag): string {
  const long = word.startsWith("--") ? `-l ${word.slice(2)}` : `-s ${word.slice(1)}`;
  const name = short === undefined ? long : `${long} -s ${short.slice(1)}`;
  if (choices.length > 0) return `${name} -x -a ${quoted(choices.join(" "))}`;
  return takesValue ? `${name} -r` : `${name} -f`;
}
