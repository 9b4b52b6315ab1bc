import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { readMemoryFiles } from '../../../extension/sessions/memory/memory-files';
import type { AgentId } from '../../../extension/sessions/session';
import { temporaryFolders } from '../temporary';

const temporary = temporaryFolders();
let root = '';
beforeEach(() => {
  root = temporary();
});

const home = () => join(root, 'home');
const cwd = () => join(root, 'work/api');

function put(path: string, text: string): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const found = async (agent: AgentId = 'claude-code') =>
  (await readMemoryFiles({ agent, cwd: cwd() }, home())).map(({ kind, path, text }) => [
    kind,
    path.slice(root.length + 1),
    text,
  ]);

describe('the memory files of an agent', () => {
  it('the memory files of an agent are those of its home, of the folder and of the folders above it', async () => {
    put('home/.claude/CLAUDE.md', 'mine');
    put('work/CLAUDE.md', 'above');
    put('work/api/CLAUDE.md', 'here');
    put('work/api/AGENTS.md', 'for others');
    expect(await found()).toEqual([
      ['memory', 'home/.claude/CLAUDE.md', 'mine'],
      ['memory', 'work/CLAUDE.md', 'above'],
      ['memory', 'work/api/CLAUDE.md', 'here'],
    ]);
    expect((await found('pi')).map(([, path]) => path)).toContain('work/api/AGENTS.md');
    expect((await found('cline')).map(([, path]) => path)).toEqual(['work/api/AGENTS.md']);
  });

  it('the memory files of an agent include rules that hold for all files', async () => {
    put('home/.claude/rules/mine.md', 'my rule');
    put('work/api/.claude/rules/style.md', '---\ndescription: style\n---\na rule');
    put('work/api/.claude/rules/every.md', '---\npaths:\n  - "**"\n---\nfor every file');
    put('work/api/.claude/rules/ruled.md', 'text\n\n---\npaths: src\n---\nwhich is no front matter');
    put('work/api/.claude/rules/titled.md', '---\ndescription: a rule\n---\ntext\npaths: src');
    put('work/api/.claude/rules/css.md', '---\npaths:\n  - "*.css"\n---\na rule for some files');
    put('work/api/.github/instructions/all.instructions.md', '---\napplyTo: "**"\n---\nfor all');
    put('work/api/.github/instructions/ts.instructions.md', '---\napplyTo: "**/*.ts"\n---\nfor some');
    put('work/api/.clinerules/one.md', 'a rule of Cline');
    const paths = async (agent: AgentId) => (await found(agent)).map(([, path]) => path);
    expect(await paths('claude-code')).toEqual([
      'home/.claude/rules/mine.md',
      ...['every', 'ruled', 'style', 'titled'].map((name) => `work/api/.claude/rules/${name}.md`),
    ]);
    expect(await paths('copilot-cli')).toEqual(['work/api/.github/instructions/all.instructions.md']);
    expect(await paths('cline')).toEqual(['work/api/.clinerules/one.md']);
  });

  it('the memory files of an agent are only the first one of a folder if the agent reads no other beside it', async () => {
    put('work/AGENTS.md', 'above');
    put('work/CLAUDE.md', 'not read');
    put('work/api/CLAUDE.md', 'here');
    put('work/api/AGENTS.override.md', 'instead');
    put('work/api/AGENTS.md', 'replaced');
    const paths = async (agent: AgentId) => (await found(agent)).map(([, path]) => path);
    expect(await paths('codex')).toEqual(['work/AGENTS.md', 'work/api/AGENTS.override.md']);
    expect(await paths('opencode')).toEqual(['work/AGENTS.md', 'work/api/AGENTS.md']);
    expect(await paths('copilot-cli')).toContain('work/CLAUDE.md');
  });

  it('the memory files of an agent include what they import, once, and never a file outside these folders', async () => {
    put('work/api/CLAUDE.md', 'See @docs/style.md and @docs/style.md and @../../secret.txt and @/etc/passwd.txt');
    put('work/api/docs/style.md', 'style @../CLAUDE.md');
    put('secret.txt', 'secret');
    expect((await found()).map(([, path]) => path)).toEqual(['work/api/CLAUDE.md', 'work/api/docs/style.md']);
  });

  it('the memory files of an agent are not read through a link that leads outside, or if they are too large', async () => {
    put('secret.txt', 'secret');
    put('work/api/.keep', '');
    symlinkSync(join(root, 'secret.txt'), join(cwd(), 'CLAUDE.md'));
    put('work/api/CLAUDE.local.md', 'x'.repeat(300 * 1024));
    expect(await found()).toEqual([]);
  });

  it('the memory files of an agent include only name and description of agents and skills', async () => {
    put('work/api/.claude/agents/review.md', '---\nname: review\ndescription: reads a change\n---\nA long prompt.');
    put('work/api/.claude/skills/pdf/SKILL.md', '---\nname: pdf\ndescription: reads a file\nmodel: x\n---\nHow to.');
    expect(await found()).toEqual([
      ['agent', 'work/api/.claude/agents/review.md', 'name: review\ndescription: reads a change'],
      ['skill', 'work/api/.claude/skills/pdf/SKILL.md', 'name: pdf\ndescription: reads a file'],
    ]);
  });
});
