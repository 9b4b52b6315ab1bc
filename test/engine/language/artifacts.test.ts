import { describe, expect, it } from 'vitest';
import { collectArtifacts } from '../../../extension/engine/language/artifacts';
import type { ArtifactKind } from '../../../extension/engine/language/loss-report';
import { agentSummary, assistant, call, injected, result, type Said, talk, user } from '../../builders/conversation';
import { expectLinear } from '../../builders/linear';

function artifactsOf(...said: (Said | Said[])[]) {
  return collectArtifacts(talk(...said).entries);
}

function texts(kind: ArtifactKind, ...said: (Said | Said[])[]): string[] {
  return artifactsOf(...said)
    .filter((artifact) => artifact.kind === kind)
    .map(({ text }) => text);
}

const names = (count: number) => Array.from({ length: count }, (_, at) => `partNumber${at}x`).join(' ');

describe('artifacts of entries', () => {
  it('weighs recent mentions more, and old ones never zero', () => {
    const found = artifactsOf(
      assistant('I read old_file.ts.'),
      ...Array.from({ length: 300 }, () => assistant('Yes.')),
      assistant('I read new_file.ts.'),
    );
    expect(found.map(({ text }) => text)).toEqual(['new_file.ts', 'old_file.ts']);
    expect(found[1]?.weight).toBeGreaterThan(0);
  });

  it('weighs mentions by the user more than those in tool output', () => {
    const found = artifactsOf(user('See asked_for.ts'), call('a', 'read', {}), result('a', 'only_listed.ts'));
    expect(found.filter(({ kind }) => kind === 'file').map(({ text }) => text)).toEqual([
      'asked_for.ts',
      'only_listed.ts',
    ]);
  });

  it('counts repetitions within one place once', () => {
    const [once] = artifactsOf(assistant('loadConfig'));
    const [often] = artifactsOf(assistant('loadConfig '.repeat(50)));
    expect(often?.weight).toBe(once?.weight);
  });

  it('names the newest three entries that contain an artifact', () => {
    const [artifact] = artifactsOf(...Array.from({ length: 5 }, () => assistant('loadConfig again')));
    expect(artifact?.entryIds).toEqual(['e3', 'e4', 'e5']);
  });

  it('returns every name, however many there are', () => {
    const found = artifactsOf(user('Never push to main.'), assistant(names(2000)));
    expect(found.filter(({ kind }) => kind === 'identifier')).toHaveLength(2000);
    expect(found.some(({ text }) => text === 'Never push to main.')).toBe(true);
  });

  it('takes names from an agent’s summary, but no sentences of it as the user’s', () => {
    const said = [agentSummary('Always use loadConfig in src/run.ts.'), injected('Never mind this reminder.')];
    expect(texts('constraint', ...said)).toEqual([]);
    expect(texts('file', ...said)).toEqual(['src/run.ts']);
  });

  it('finds a failure in command output without an error flag', () => {
    const output = 'compiling\nsrc/run.ts(3,1): error TS2322: Type is wrong\ndone';
    expect(texts('error', call('a', 'bash', { command: 'tsc | tee log' }), result('a', output))).toEqual([
      'src/run.ts(3,1): error TS2322: Type is wrong',
    ]);
    expect(texts('error', call('a', 'read', { path: 'log' }), result('a', output))).toEqual([]);
  });

  it('finds the error lines of a failed call', () => {
    expect(texts('error', call('a', 'read'), result('a', 'ENOENT: no such file, open data.txt', true))).toEqual([
      'ENOENT: no such file, open data.txt',
    ]);
  });

  it('finds names in arguments at any depth, without JSON escapes', () => {
    const edits = { edits: [{ path: 'src/deep.ts', text: 'a\nFell over' }] };
    expect(artifactsOf(call('a', 'edit', edits)).map(({ text }) => text)).toEqual(['src/deep.ts']);
  });

  it('takes time linear in hostile text', () => {
    for (const unit of ['aaaaaaaaaa', '1,', '/{', 'If ']) {
      expectLinear(12_500, (size) => {
        const text = unit.repeat(size);
        return artifactsOf(user(text), call('a', 'bash', { command: text }), result('a', text, true));
      });
    }
  });
});
