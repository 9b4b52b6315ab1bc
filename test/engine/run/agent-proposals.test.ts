import { expect, it } from 'vitest';
import { memoryJournal } from '../../../extension/conversations/shelves/memory-journal';
import { appendRecords } from '../../../extension/engine/journal/journal-access';
import { CoreEditor } from '../../../extension/engine/run/change/core-editor';

function newConversation() {
  const journal = memoryJournal({ agent: 'pi', id: 's', file: '' });
  let minutes = 0;
  let ids = 0;
  const access = {
    journal,
    now: () => new Date(Date.UTC(2026, 0, 1, 0, minutes)).toISOString(),
    newId: () => String(ids++),
  };
  const source = {
    conversation: { entries: [], agentContext: [], agentCompactions: [] },
    core: null,
    originalGoal: null,
    excluded: new Set<string>(),
  };
  const editor = new CoreEditor(source, { ...access, append: (draft) => appendRecords(access, draft) });
  const propose = async (text: string) =>
    (await editor.proposeByAgent({ kind: 'constraint', text, rationale: null, proposedBy: 'model' })).kind;
  const waiting = () => journal.state.items.filter(({ status }) => status === 'proposed').map(({ text }) => text);
  return {
    ...{ journal, editor, propose, waiting },
    wait: (passed: number) => {
      minutes += passed;
    },
  };
}

it('takes five proposals of agents in a minute and twenty in an hour', async () => {
  const { propose, wait } = newConversation();
  const taken = async (from: number, to: number) => {
    const kinds: string[] = [];
    for (let place = from; place < to; place += 1) kinds.push(await propose(`Rule ${place}.`));
    return kinds.filter((kind) => kind === 'proposed').length;
  };
  expect(await taken(0, 10)).toBe(5);
  expect(await propose('Rule 1.')).toBe('known');
  let hour = 5;
  for (let round = 1; round < 10; round += 1) {
    wait(2);
    hour += await taken(round * 10, round * 10 + 10);
  }
  expect(hour).toBe(20);
  wait(60);
  expect(await taken(200, 210)).toBe(5);
});

it('lets the oldest unread proposals go for newer ones, and nothing that a person confirmed', async () => {
  const { journal, editor, propose, waiting, wait } = newConversation();
  for (let place = 0; place < 15; place += 1) {
    await propose(`Rule ${place}.`);
    if (place === 0) await editor.change('0', 'active');
    wait(5);
  }
  expect(waiting()).toEqual(Array.from({ length: 12 }, (_, place) => `Rule ${place + 3}.`));
  expect(journal.state.items[0]?.status).toBe('active');
});
