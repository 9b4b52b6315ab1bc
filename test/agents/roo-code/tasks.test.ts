import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rooCode } from '../../../extension/agents/roo-code/format/adapter';
import { contextFaults } from '../../sessions/context-faults';
import { picture } from '../../sessions/picture';
import { temporaryFolders } from '../../sessions/temporary';
import { call, type Fields, opened, reply, result, words, write } from '../cline/session-files';

const folder = temporaryFolders();

function writeTask(
  messages: readonly unknown[],
  extension = 'rooveterinaryinc.roo-cline',
  sidecars: Fields = {},
): string {
  const task = join(folder(), 'globalStorage', extension, 'tasks', 't1');
  for (const [name, value] of Object.entries(sidecars)) write(join(task, name), value);
  return write(join(task, 'api_conversation_history.json'), messages);
}

async function contextOf(messages: readonly unknown[]): Promise<string[]> {
  const { agentContext } = (await opened(writeTask(messages))).conversation;
  expect(contextFaults(agentContext)).toEqual([]);
  return picture(agentContext);
}

function said(text: string, more: Fields = {}): Fields {
  return { role: 'user', content: [words(text)], ts: 1_795_000_000_000, ...more };
}

const hidden = { condenseParent: 'k1' };

describe('a Roo Code task', () => {
  it('a Roo Code task is recognised by its folder, and reads title and folder from the files next to it', async () => {
    const sidecars = { 'history_item.json': { id: 't1', task: 'Fix the build', workspace: '/home/ada/scratch' } };
    const file = writeTask([said('<task>\nfix\n</task>')], 'rooveterinaryinc.roo-cline', sidecars);
    expect(await opened(file)).toMatchObject({ agent: 'roo-code', title: 'Fix the build', cwd: '/home/ada/scratch' });
    const around = '<environment_details>\n# Current Working Directory (/home/ada/other) Files\n</environment_details>';
    const older = writeTask([said('fix'), said(around)], 'saoudrizwan.claude-dev');
    const session = await opened(older);
    expect(session).toMatchObject({ agent: 'cline', id: 't1', title: 'fix', cwd: '/home/ada/other' });
    expect(picture(session.conversation.entries)[1]).toMatch(/^injected: /);
  });

  it('sends the newest summary and later messages without those it replaced', async () => {
    const summary = said('A summary.', { isSummary: true, condenseId: 'k1' });
    const messages = [said('one', hidden), reply('', [words('two')], hidden), summary, reply('', [words('three')])];
    expect(await contextOf(messages)).toEqual(['summary: A summary.', 'assistant: three']);
    const { agentCompactions, entries } = (await opened(writeTask(messages))).conversation;
    expect(entries).toHaveLength(4);
    expect(agentCompactions).toMatchObject([{ replacedEntryIds: ['message-1', 'message-2'] }]);
  });

  it('sends messages before an older summary with the assistant role', async () => {
    const summary = reply('', [words('A summary.')], { isSummary: true, condenseId: 'k1' });
    expect(await contextOf([said('one'), reply('', [words('two')], hidden), said('three', hidden), summary])).toEqual([
      'user: one',
      'summary: A summary.',
    ]);
  });

  it('sends messages again whose summary or truncation was removed', async () => {
    const cut = { truncationParent: 'x1' };
    const marker = said('cut here', { isTruncationMarker: true, truncationId: 'x1' });
    expect(await contextOf([said('one', hidden), said('two', cut)])).toEqual(['user: one', 'user: two']);
    expect(await contextOf([said('one'), said('two', cut), marker])).toEqual(['user: one', 'user: cut here']);
  });

  it('does not send a result whose call is hidden', async () => {
    const summary = said('A summary.', { isSummary: true, condenseId: 'k1' });
    expect(await contextOf([reply('', [call('c1')], hidden), summary, result('', 'c1', 'out')])).toEqual([
      'summary: A summary.',
    ]);
  });

  it('a Roo Code task is searched in the folders of the editors', () => {
    expect(rooCode.roots({ home: '/h', variables: {}, editorFolders: ['/code/User'] })).toEqual([
      '/code/User/globalStorage/rooveterinaryinc.roo-cline/tasks',
    ]);
    expect(rooCode.roots({ home: '/h', variables: {} })).toEqual([]);
  });
});
