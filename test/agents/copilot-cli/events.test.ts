import { describe, expect, it } from 'vitest';
import { copilotCli } from '../../../extension/agents/copilot-cli/format/adapter';
import { build } from '../../sessions/build';
import { contextFaults } from '../../sessions/context-faults';
import { picture } from '../../sessions/picture';

let count = 0;
const event = (type: string, data: object, more: object = {}) => {
  count += 1;
  return { type, data, id: `e${count}`, timestamp: '2026-01-01T00:00:00.000Z', parentId: null, ...more };
};
const start = event('session.start', { sessionId: 's', context: { cwd: '/w' } });
const said = (content: string, more: object = {}) => event('user.message', { content, ...more });
const replied = (content: string, ...calls: string[]) =>
  event('assistant.message', {
    content,
    toolRequests: calls.map((toolCallId) => ({ toolCallId, name: 'bash', arguments: { command: 'ls' } })),
  });
const answered = (toolCallId: string, content: string) =>
  event('tool.execution_complete', { toolCallId, success: true, result: { content } });
const sentBy = (...events: readonly object[]) => build(copilotCli, [start, ...events]).conversation.agentContext;

describe('the context of Copilot CLI', () => {
  it('separates what Copilot put around a prompt from the prompt', () => {
    const sent = sentBy(
      said('look', { transformedContent: '<current_datetime>now</current_datetime>\n\nlook\n<files/>' }),
    );
    expect(picture(sent)).toEqual([
      'injected: <current_datetime>now</current_datetime>\n\n',
      'user: look',
      'injected: \n<files/>',
    ]);
  });

  it('does not count texts of skills, notifications and the person’s shell as prompts', () => {
    const sent = sentBy(
      said('the skill says', { source: 'skill-pdf' }),
      said('go on', { isAutopilotContinuation: true }),
      event('system.notification', { content: '<system_notification>ended</system_notification>' }),
      event('tool.user_requested', { toolCallId: 'u', toolName: 'bash', arguments: { command: 'ls' } }),
      event('tool.execution_complete', {
        toolCallId: 'u',
        isUserRequested: true,
        success: true,
        result: { content: 'a' },
      }),
    );
    expect(picture(sent).map((line) => line.split('\n')[0])).toEqual([
      'injected: the skill says',
      'injected: go on',
      'injected: <system_notification>ended</system_notification>',
      'injected: <user_shell_command_output>',
    ]);
    expect(picture(sent).at(-1)).toContain('Command:\nls\n\nOutput:\na\n');
  });

  it('answers a lost call if work went on, and waits for one that may be running', () => {
    const interrupted = [said('go'), replied('calls', 'c1', 'c2'), answered('c2', 'there')];
    expect(picture(sentBy(...interrupted))).toHaveLength(3);
    const sent = sentBy(...interrupted, said('and?'));
    expect(picture(sent).some((line) => line.startsWith('tool: c1 → Tool execution was interrupted'))).toBe(true);
    expect(contextFaults(sent)).toEqual([]);
  });

  it('joins a reply that was split where the model thought again', () => {
    const part = (reasoningText: string, content: string) =>
      event('assistant.message', { apiCallId: 'one', reasoningText, content, toolRequests: [] });
    const usage = event('session.usage_record', { usage: { apiCallId: 'one', inputTokens: 10, outputTokens: 5 } });
    const sent = sentBy(said('go'), usage, part('hm', 'first'), part('oh', 'second'));
    expect(picture(sent)).toEqual(['user: go', 'assistant: (hm) + first + (oh) + second']);
    expect(sent[1]?.usage).toMatchObject({ input: 10, output: 5 });
  });

  it('the context of Copilot CLI is not changed by a compaction that failed', () => {
    const events = [said('go'), replied('done')];
    const failed = [event('session.compaction_start', {}), event('session.compaction_complete', { success: false })];
    expect(picture(sentBy(...events, ...failed))).toEqual(['user: go', 'assistant: done']);
  });

  it('does not wait for an answer that a person stopped', () => {
    const session = (...events: readonly object[]) => build(copilotCli, [start, ...events]);
    expect(session(said('go')).awaitsReply).toBe(true);
    expect(session(said('go'), event('abort', { reason: 'user_abort' })).awaitsReply).toBe(false);
  });

  it('finds a picture that an event names by its id', () => {
    const asset = event('session.binary_asset', { assetId: 'sha256:1', mimeType: 'image/png', data: 'iVBO' });
    const prompt = said('see', { attachments: [{ type: 'blob', mimeType: 'image/png', assetId: 'sha256:1' }] });
    expect(sentBy(asset, prompt)[0]?.parts[1]).toEqual({ type: 'image', mediaType: 'image/png', data: 'iVBO' });
  });
});
