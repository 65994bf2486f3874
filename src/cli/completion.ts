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

/** `path|--flag` of the options that take a value, for a `case` of a shell. */
function valueCases(entries: readonly Entry[], choices: (flag: Flag) => boolean): { pattern: string; flag: Flag }[] {
  return entries.flatMap(({ path, flags }) =>
    flags
      .filter((flag) => flag.takesValue && choices(flag))
      .map((flag) => {
        const names = flag.short === undefined ? [flag.word] : [flag.word, flag.short];
        return { pattern: names.map((name) => quoted(`${path}|${name}`)).join(" | "), flag };
      }),
  );
}

/** Which command the words before the cursor name; the value of an option is no command. (`path` is PATH in zsh.) */
function pathLoop(entries: readonly Entry[], words: string, first: number, last: string): string {
  const paths = entries.filter(({ path }) => path !== "").map(({ path }) => quoted(path));
  const valued = valueCases(entries, () => true).map(({ pattern }) => pattern);
  return `  local place="" skip="" word next i
  for ((i = ${first}; i < ${last}; i++)); do
    word="\${${words}[i]}"
    if [[ -n $skip ]]; then [[ $word == "=" ]] || skip=""; continue; fi
    case "$place|$word" in
      ${valued.join(" | ")}) skip=1; continue ;;
    esac
    next="\${place:+$place }$word"
    case "$next" in
      ${paths.join(" | ")}) place="$next" ;;
    esac
  done`;
}

function bash(entries: readonly Entry[]): string {
  const choices = valueCases(entries, ({ choices: each }) => each.length > 0);
  const files = valueCases(entries, ({ choices: each }) => each.length === 0);
  return `# recollect completion for bash. Load it with: source <(recollect completion bash)
_recollect() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}"
  # Bash parts --option=value into three words.
  if [[ $cur == "=" ]]; then cur=""; elif [[ $prev == "=" ]]; then prev="\${COMP_WORDS[COMP_CWORD-2]}"; fi
${pathLoop(entries, "COMP_WORDS", 1, "COMP_CWORD")}
  COMPREPLY=()
  case "$place|$prev" in
${choices.map(({ pattern, flag }) => `    ${pattern}) COMPREPLY=($(compgen -W ${quoted(flag.choices.join(" "))} -- "$cur")); return ;;`).join("\n")}
    ${files.map(({ pattern }) => pattern).join(" | ")}) compopt -o default 2> /dev/null; return ;;
  esac
  case "$place" in
${entries.map((entry) => `    ${quoted(entry.path)}) COMPREPLY=($(compgen -W ${quoted(wordsOf(entry).join(" "))} -- "$cur")) ;;`).join("\n")}
  esac
}
complete -F _recollect recollect`;
}

function zsh(entries: readonly Entry[]): string {
  const choices = valueCases(entries, ({ choices: each }) => each.length > 0);
  const files = valueCases(entries, ({ choices: each }) => each.length === 0);
  const described = ({ word, help }: Word) => quoted(`${word}:${help}`);
  return `#compdef recollect
# recollect completion for zsh. Load it after compinit with: source <(recollect completion zsh)
_recollect() {
${pathLoop(entries, "words", 2, "CURRENT")}
  local -a found
  case "$place|\${words[CURRENT-1]}" in
${choices.map(({ pattern, flag }) => `    ${pattern}) compadd -- ${flag.choices.map(quoted).join(" ")}; return ;;`).join("\n")}
    ${files.map(({ pattern }) => pattern).join(" | ")}) _files; return ;;
  esac
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
  const valued = entries.flatMap(({ path, flags }) =>
    flags
      .filter(({ takesValue }) => takesValue)
      .flatMap(({ word, short }) => [word, ...(short === undefined ? [] : [short])])
      .map((name) => quoted(`${path}|${name}`)),
  );
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
function __recollect_at
  set -l place ""
  set -l skip 0
  for word in (commandline -opc)[2..]
    if test $skip = 1
      set skip 0
      continue
    end
    if contains -- "$place|$word" ${valued.join(" ")}
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
