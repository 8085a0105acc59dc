import { Argument, Option, type Command } from 'commander';
import { signaturePolicies } from '../../../request/signature-policies.ts';
import { hashAlgorithms } from '../../../request/signature-request.ts';
import { documentTypes } from '../../../request/signature-types.ts';
import { fileAccess, grantScope } from '../../../ui-contract/site-calls.ts';
import { timestampHashes } from '../../../ui-contract/timestamp-hashes.ts';
import { printRaw } from '../print.ts';

const timestampHashNames = timestampHashes.map((name) => name.toUpperCase());

/** Values of options that are parsed in any spelling, by the path and the long name of the option. */
const values: Readonly<Record<string, readonly string[]>> = {
  '/sign --type': documentTypes,
  '/sign --policy': signaturePolicies,
  '/sign --hash': hashAlgorithms,
  '/extend --hash': timestampHashNames,
  '/tsa/add --hash': timestampHashNames,
  '/sites/allow --scope': grantScope.options,
  '/sites/allow-folder --access': fileAccess.options,
};

/** Shells with a script of completions. */
const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** `completion SHELL`: a script of completions, written from the table of commands. */
export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description('print a script that completes commands and options in your shell')
    .addArgument(new Argument('<shell>', 'your shell').choices(Object.keys(scripts)))
    .action((shell: keyof typeof scripts) => {
      printRaw(scripts[shell](placesOf(program)));
    });
}

/** The values that an option or the parameters of a command accept. */
type Words = { readonly kind: 'none' | 'any' | 'file' | 'folder' } | { readonly kind: 'choices'; readonly choices: readonly string[] }; // prettier-ignore

interface CompletedOption {
  /** `-t` and `--type`. */
  readonly names: readonly string[];
  readonly about: string;
  readonly words: Words;
}

/** A command, as completions see it. */
interface Place {
  /** The path of the command, with a slash before each word: `/certificates/list`. */
  readonly path: string;
  readonly commands: readonly { readonly names: readonly string[]; readonly about: string }[];
  readonly options: readonly CompletedOption[];
  readonly parameters: Words;
}

function placesOf(command: Command, path = ''): readonly Place[] {
  const commands = command.commands.map((one) => ({ names: [one.name(), ...one.aliases()], about: one.description() }));
  const help = new Option('-h, --help', 'display help for command');
  const shown = [...command.options.filter(({ hidden }) => !hidden), help];
  const options = shown.map((option) => completedOption(option, path));
  const [parameter] = command.registeredArguments;
  const parameters: Words =
    parameter === undefined ? { kind: 'none' } : completionWords(parameter.name(), parameter.argChoices ?? []);
  const own = { path, commands, options, parameters };
  const below = command.commands.flatMap((one) =>
    [one.name(), ...one.aliases()].flatMap((name) => placesOf(one, `${path}/${name}`)),
  );
  return [own, ...below];
}

function completedOption({ short, long, flags, description, argChoices }: Option, path: string): CompletedOption {
  const choices = argChoices ?? values[`${path} ${long}`] ?? [];
  const [, value] = /[<[](.+)[>\]]$/.exec(flags) ?? [];
  return {
    names: [short, long].filter((name) => name !== undefined),
    about: description,
    words: value === undefined ? { kind: 'none' } : completionWords(value, choices),
  };
}

/** Guesses from a parameter's name whether it takes files or folders. */
function completionWords(name: string, choices: readonly string[]): Words {
  if (choices.length > 0) return { kind: 'choices', choices };
  if (/^(files?|path|paths|signature|source)$/.test(name)) return { kind: 'file' };
  return { kind: name === 'folder' ? 'folder' : 'any' };
}

/** A word in single quotes, which shells read as it is. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Branches of a shell `case`, one for each command. */
function branches(places: readonly Place[], bodyOf: (place: Place) => string): string {
  return places.map((place) => `    ${quote(place.path)}) ${bodyOf(place)} ;;`).join('\n');
}

/** Branches of a shell `case`, one for each option with a value: `/sign --type`. */
function valueBranches(places: readonly Place[], bodyOf: (words: Words) => string): string {
  const rows = places.flatMap(({ path, options }) =>
    options
      .filter(({ words }) => words.kind !== 'none')
      .map(({ names, words }) => {
        const patterns = names.map((name) => quote(`${path} ${name}`)).join('|');
        return `    ${patterns}) ${bodyOf(words)} ;;`;
      }),
  );
  return rows.join('\n');
}

/** Pattern of a shell `case` that matches the paths of all commands. */
const pathPattern = (places: readonly Place[]): string =>
  places
    .filter(({ path }) => path !== '')
    .map(({ path }) => quote(path))
    .join('|');

const ACTIONS = { file: '_sinete_paths -f', folder: '_sinete_paths -d', any: ':', none: ':' } as const;

function bashScript(places: readonly Place[]): string {
  const offer = (words: Words): string =>
    words.kind === 'choices' ? `_sinete_offer ${quote(words.choices.join(' '))}` : ACTIONS[words.kind];
  return `# Completions of sinete for bash: source <(sinete completion bash)
_sinete_offer() { COMPREPLY+=($(compgen -W "$1" -- "$current")); }
_sinete_paths() {
  compopt -o filenames 2> /dev/null
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen "$1" -- "$current")
}
_sinete() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} place= word
  COMPREPLY=()
  # Bash splits --option=value at the equals sign.
  if [[ $before == = ]]; then before=\${COMP_WORDS[COMP_CWORD - 2]}; elif [[ $current == = ]]; then current=; fi
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$place/$word" in
    ${pathPattern(places)}) place="$place/$word" ;;
    esac
  done
  case "$place $before" in
${valueBranches(places, (words) => `${offer(words)}; return`)}
  esac
  if [[ $current == -* ]]; then
    case "$place" in
${branches(places, ({ options }) => `_sinete_offer ${quote(options.flatMap(({ names }) => names).join(' '))}`)}
    esac
    return
  fi
  case "$place" in
${branches(places, ({ commands, parameters }) =>
  commands.length > 0 ? `_sinete_offer ${quote(commands.flatMap(({ names }) => names).join(' '))}` : offer(parameters),
)}
  esac
}
complete -F _sinete sinete
`;
}

/** A word with its description, in the format of zsh's `_describe`. */
const described = (name: string, about: string): string => quote(`${name.replaceAll(':', '\\:')}:${about}`);

function zshScript(places: readonly Place[]): string {
  const offer = (words: Words): string => {
    if (words.kind === 'choices') return `compadd -- ${words.choices.map(quote).join(' ')}`;
    return { file: '_files', folder: '_files -/', any: ':', none: ':' }[words.kind];
  };
  const list = (rows: readonly string[]): string => `found=(${rows.join(' ')})`;
  return `#compdef sinete
# Completions of sinete for zsh: a file _sinete in a folder of $fpath.
_sinete() {
  local current=\${words[CURRENT]} before=\${words[CURRENT-1]} place= word
  local -a found
  if [[ $current == --*=* ]]; then before=\${current%%=*} current=\${current#*=}; compset -P '*='; fi
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$place/$word" in
    ${pathPattern(places)}) place="$place/$word" ;;
    esac
  done
  case "$place $before" in
${valueBranches(places, (words) => `${offer(words)}; return`)}
  esac
  if [[ $current == -* ]]; then
    case "$place" in
${branches(places, ({ options }) =>
  list(options.flatMap(({ names, about }) => names.map((name) => described(name, about)))),
)}
    esac
    _describe option found
    return
  fi
  case "$place" in
${branches(places, ({ commands, parameters }) =>
  commands.length > 0
    ? `${list(commands.flatMap(({ names, about }) => names.map((name) => described(name, about))))}; _describe command found`
    : offer(parameters),
)}
  esac
}
if [[ \${zsh_eval_context[-1]} == loadautofunc ]]; then _sinete "$@"; else compdef _sinete sinete; fi
`;
}

/** A word in single quotes of fish, where a backslash has a meaning too. */
const quoteForFish = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function fishScript(places: readonly Place[]): string {
  const offer = (words: Words): string => {
    if (words.kind === 'choices') return ` -x -a ${quoteForFish(words.choices.join(' '))}`;
    return { file: ' -r -F', folder: " -x -a '(__fish_complete_directories)'", any: ' -x', none: ' -f' }[words.kind];
  };
  const lines = places.flatMap(({ path, commands, options, parameters }) => {
    const start = `complete -c sinete -n ${quoteForFish(`__sinete_at ${path === '' ? '/' : path}`)}`;
    const ways = commands.flatMap(({ names, about }) =>
      names.map((name) => `${start} -f -a ${quoteForFish(name)} -d ${quoteForFish(about)}`),
    );
    const own = options.map(({ names, about, words }) => {
      const flags = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
      return `${start} ${flags.join(' ')} -d ${quoteForFish(about)}${words.kind === 'none' ? '' : offer(words)}`;
    });
    const rest = commands.length > 0 ? [] : [`${start}${offer(parameters).replace(' -r -F', ' -F')}`];
    return [...ways, ...own, ...rest];
  });
  return `# Completions of sinete for fish: sinete completion fish > ~/.config/fish/completions/sinete.fish
function __sinete_at
  set -l place ''
  for word in (commandline -opc)[2..-1]
    switch "$place/$word"
      case ${places
        .filter(({ path }) => path !== '')
        .map(({ path }) => quoteForFish(path))
        .join(' ')}
        set place "$place/$word"
    end
  end
  test "$place" = (string replace -r '^/$' '' -- $argv[1])
end
complete -c sinete -e
complete -c sinete -f
${lines.join('\n')}
`;
}
