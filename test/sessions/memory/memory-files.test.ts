import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { readMemoryFiles } from '../../../extension/sessions/memory/memory-files';
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

const found = async (agent: 'claude-code' | 'pi' | 'cline' = 'claude-code') =>
  (await readMemoryFiles({ agent, cwd: cwd() }, home())).map(({ kind, path, text }) => [
    kind,
    path.slice(root.length + 1),
    text,
  ]);

describe('the memory files of an agent', () => {
  it('are those of its home, of the folder and of the folders above it', async () => {
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
    expect(await found('cline')).toEqual([]);
  });

  it('include what they import, once, and never a file elsewhere', async () => {
    put('work/api/CLAUDE.md', 'See @docs/style.md and @docs/style.md and @../../secret.txt and @/etc/passwd.txt');
    put('work/api/docs/style.md', 'style @../CLAUDE.md');
    put('secret.txt', 'secret');
    expect((await found()).map(([, path]) => path)).toEqual(['work/api/CLAUDE.md', 'work/api/docs/style.md']);
  });

  it('are not read through a link that leads elsewhere, nor when they are too large', async () => {
    put('secret.txt', 'secret');
    put('work/api/.keep', '');
    symlinkSync(join(root, 'secret.txt'), join(cwd(), 'CLAUDE.md'));
    put('work/api/CLAUDE.local.md', 'x'.repeat(300 * 1024));
    expect(await found()).toEqual([]);
  });

  it('are of agents and skills only name and description', async () => {
    put('work/api/.claude/agents/review.md', '---\nname: review\ndescription: reads a change\n---\nA long prompt.');
    put('work/api/.claude/skills/pdf/SKILL.md', '---\nname: pdf\ndescription: reads a file\nmodel: x\n---\nHow to.');
    expect(await found()).toEqual([
      ['agent', 'work/api/.claude/agents/review.md', 'name: review\ndescription: reads a change'],
      ['skill', 'work/api/.claude/skills/pdf/SKILL.md', 'name: pdf\ndescription: reads a file'],
    ]);
  });
});
