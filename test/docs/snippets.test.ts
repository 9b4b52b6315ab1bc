import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import stringArgv from 'string-argv';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { strataProgram } from '../../extension/cli/whole-program';
import { agentInstructions } from '../../extension/gateway/instructions';
import { adapters } from '../../extension/sessions/adapters';
import type { AgentId } from '../../extension/sessions/session';
import manifest from '../../package.json';
import words from '../../package.nls.json';
import { pages, type Snippet, snippets } from './pages';

const inLanguage = (...languages: string[]) => snippets.filter(({ language }) => languages.includes(language));

describe('code of the pages', () => {
  it('is sound JavaScript and TypeScript', () => {
    const programs = inLanguage('js', 'ts');
    expect(programs.length).toBeGreaterThan(15);
    expect(programs.flatMap(syntaxFaults)).toEqual([]);
  });

  it('imports from the library what it exports', async () => {
    const imports = inLanguage('js', 'ts').flatMap(importsOf);
    expect(imports.length).toBeGreaterThan(15);
    const faults = await Promise.all(
      imports.map(async ({ where, from, name }) => {
        const exported = await import(`../../extension/library/${from}.ts`);
        return name in exported ? [] : [`${where}: strata-context/${from} has no ${name}`];
      }),
    );
    expect(faults.flat()).toEqual([]);
  });

  it('is sound JSON', () => {
    for (const { where, code } of inLanguage('json')) expect(() => JSON.parse(code), where).not.toThrow();
  });
});

function syntaxFaults({ where, code }: Snippet): string[] {
  const { diagnostics = [] } = ts.transpileModule(code, {
    reportDiagnostics: true,
    compilerOptions: { module: ts.ModuleKind.ESNext },
  });
  return diagnostics.map(({ messageText }) => `${where}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
}

/** Values that a program imports from the library. The tests of the packages check the types. */
function importsOf({ where, code }: Snippet) {
  const statements = [...code.matchAll(/^import \{([^}]*)\} from 'strata-context(?:\/([\w-]+))?';$/gm)];
  return statements.flatMap(([, names = '', from = 'index']) =>
    names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type '))
      .map((name) => ({ where, from, name: name.split(' as ')[0] ?? name })),
  );
}

/** Command lines of `strata` in fenced blocks and between backticks. */
const commandLines = pages
  .filter(({ path }) => !path.includes('/decisions/'))
  .flatMap(({ path, text }) => {
    const lines = [
      ...text.matchAll(/(?:^|`)(?:npx )?(?:strata|strata-context-cli|node dist\/cli\/strata\.js) ([^`\n]+)/gm),
    ];
    return lines.map(([, line = '']) => ({ path, line }));
  });

/** Options and names of commands that the program does not have. Placeholders, as in `[--json]`, are read without their brackets. */
function commandFault({ path, line }: { path: string; line: string }): string[] {
  const words = stringArgv(line.replace(/ #.*/, '').replace(/[[\]()…]|\\\|/g, ' ')).map((word) =>
    word.replace(/[.,;:]$/, ''),
  );
  const chain: Command[] = [strataProgram()];
  for (const word of words) {
    const next = chain.at(-1)?.commands.find((command) => command.name() === word);
    if (next !== undefined) chain.push(next);
  }
  const known = new Set([
    '--help',
    '--version',
    ...chain.flatMap(({ options }) => options.flatMap(({ long, short }) => [long, short])),
  ]);
  const options = words.filter((word) => /^--?[a-z]/.test(word)).map((word) => word.split('=')[0] ?? word);
  const unknown = options.filter((option) => !known.has(option));
  const isNamed = chain.length > 1 || words[0]?.startsWith('-') || /^[A-Z…]/.test(words[0] ?? '');
  return [
    ...(isNamed ? [] : [`${path}: strata has no command ${words[0]}`]),
    ...unknown.map((option) => `${path}: "strata ${line}" has an unknown option ${option}`),
  ];
}

describe('command lines of the pages', () => {
  it('are ones that the command takes', () => {
    expect(commandLines.length).toBeGreaterThan(60);
    expect(commandLines.flatMap(commandFault)).toEqual([]);
  });

  it('are faults with an option or a command that does not exist', () => {
    expect(commandFault({ path: 'a.md', line: 'compact FILE --fast' })).toEqual([
      'a.md: "strata compact FILE --fast" has an unknown option --fast',
    ]);
    expect(commandFault({ path: 'a.md', line: 'squeeze FILE' })).toEqual(['a.md: strata has no command squeeze']);
  });
});

describe('names of the editor in the pages', () => {
  const settings = new Set(manifest.contributes.configuration.flatMap(({ properties }) => Object.keys(properties)));
  const titles = new Set(
    Object.entries(words)
      .filter(([key]) => /^command\..*\.title$/.test(key))
      .map(([, title]) => `Strata: ${title}`),
  );
  // The editor adds a command for each view.
  for (const [key, name] of Object.entries(words))
    if (/^view\..*\.name$/.test(key)) titles.add(`Strata: Focus on ${name} View`);
  const read = pages.filter(({ path }) => !/\/(?:decisions|api)\//.test(path));

  it('settings exist, and so do the names of OpenTelemetry', async () => {
    const source = await readFile('extension/library/opentelemetry.ts', 'utf8');
    const told = new Set([...source.matchAll(/'(strata\.[\w.]+)'/g)].map(([, name]) => name));
    const named = read.flatMap(({ path, text }) =>
      [...text.matchAll(/`(strata\.\w[\w-]*(?:\.[\w-]+)+)`/g)].map(([, name = '']) => ({ path, name })),
    );
    expect(named.length).toBeGreaterThan(20);
    expect(
      named.filter(
        ({ name }) =>
          !told.has(name) && !settings.has(name) && ![...settings].some((known) => known.startsWith(`${name}.`)),
      ),
    ).toEqual([]);
  });

  it('commands exist', () => {
    const named = read.flatMap(({ path, text }) =>
      [...text.matchAll(/(?:\*\*|`|“)(Strata: [A-Z][^*`”\n]*?)(?:\*\*|`|”)/g)].map(([, name = '']) => ({ path, name })),
    );
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter(({ name }) => !titles.has(name))).toEqual([]);
  });
});

describe('the page of an agent', () => {
  const pageOf = (file: string) => pages.find(({ path }) => path === `docs/agents/${file}.md`)?.text ?? '';
  const pageNames: Partial<Record<AgentId, string>> = { kilo: 'kilo-code' };

  it.each(adapters.filter(({ resume }) => resume !== undefined))('$agent says how a session is resumed', (adapter) => {
    const command = adapter.resume?.({ id: 'ID', file: 'FILE' }) ?? [];
    expect(pageOf(pageNames[adapter.agent] ?? adapter.agent)).toContain(command.join(' '));
  });

  it.each(agentInstructions('http://127.0.0.1:PORT', 'TOKEN', 'linux'))(
    '$agent has the lines of the gateway',
    ({ agent, text }) => {
      const page = pageOf(agent.toLowerCase().replace(' ', '-'));
      const blocks = [...page.matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code.replace(/\s/g, ''));
      expect(blocks).toContain(text.replace(/\s/g, ''));
    },
  );
});
