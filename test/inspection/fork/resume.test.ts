import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canResume, resumeCommand, resumeLine } from '../../../extension/inspection/fork/resume';

const session = { agent: 'codex', id: '01a2-b', file: '/sessions/a.jsonl', cwd: '/home/ada/scratch' } as const;

describe('the command that continues a session', () => {
  it('the command that resumes a session is the agent’s own, in the folder of the session', () => {
    expect(resumeCommand(session)).toEqual({ cwd: '/home/ada/scratch', command: ['codex', 'resume', '01a2-b'] });
    expect(resumeLine(resumeCommand(session), 'linux')).toBe('cd /home/ada/scratch && codex resume 01a2-b');
  });

  it.each([
    '--dangerously-bypass-approvals-and-sandbox',
    '-c',
    'x\u0003 touch me\r',
    'x; rm',
    'x y',
    '',
    '$(x)',
    '../x',
  ])('the command that goes on with a session is refused if a file gives the id %j', (id) => {
    expect(() => resumeCommand({ ...session, id })).toThrow(/there is no command for it|no command to resume/);
    expect(canResume({ ...session, id })).toBe(false);
  });

  it('leaves out a path that is not a folder', () => {
    for (const cwd of ['-', 'relative', '/a\u0003b', '/a\nb'])
      expect(resumeCommand({ ...session, cwd }).cwd).toBeNull();
  });

  it('the command that resumes a session is refused for a subagent, and for an agent without one', () => {
    expect(() => resumeCommand({ ...session, parent: { file: null, callId: null } })).toThrow(/no command/);
    expect(() => resumeCommand({ ...session, agent: 'vscode-chat' })).toThrow(/no command/);
  });

  it('the command that resumes a session keeps each word one word, whatever a path contains', () => {
    const path = fc.string({ unit: 'grapheme' }).map((text) => `/${text.replace(/[\p{Cc}\u2028\u2029\\\\]/gu, '')}`);
    fc.assert(
      fc.property(path, (file) => {
        const line = resumeLine({ cwd: null, command: ['printf', '%s', file] }, 'linux');
        expect(spawnSync('sh', ['-c', line], { encoding: 'utf8' }).stdout).toBe(file);
      }),
      { numRuns: 60 },
    );
  });

  it('goes to the folder on whatever drive it is, in cmd.exe and in Windows PowerShell', () => {
    const command = { cwd: 'D:\\My Work', command: ['codex', 'resume', '01a2-b'] };
    expect(resumeLine(command, 'win32')).toBe('pushd "D:\\My Work"\ncodex resume 01a2-b');
    expect(resumeLine({ ...command, cwd: '/Users/ada/My Work' }, 'darwin')).toBe(
      "cd '/Users/ada/My Work' && codex resume 01a2-b",
    );
  });

  it('the command that resumes a session is refused if shells of Windows would read a path differently', () => {
    expect(resumeLine({ cwd: null, command: ['pi', 'C:\\My Files\\a.jsonl'] }, 'win32')).toBe(
      'pi "C:\\My Files\\a.jsonl"',
    );
    for (const word of ['%PATH% x', '$x y', 'a"b', 'a`b c']) {
      expect(() => resumeLine({ cwd: null, command: ['pi', word] }, 'win32')).toThrow(/every shell/);
    }
  });
});
