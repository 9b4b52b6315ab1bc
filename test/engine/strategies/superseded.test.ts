import { describe, expect, it } from 'vitest';
import { messageText } from '../../../extension/middleware/text';
import { assistant, call, long, result, type Said, talk, user } from '../../builders/conversation';
import { compact } from '../../builders/run';

let calls = 0;

function step(name: string, input: unknown, output: string): Said[] {
  calls += 1;
  return [call(`c${calls}`, name, input), result(`c${calls}`, output)];
}

const read = (version: string) => step('read', { path: 'src/parser.ts' }, long(`const parser = ${version};`));
const edit = () => step('edit', { path: 'src/parser.ts', oldText: 'a', newText: 'b' }, 'ok');

async function marksAfter(...steps: readonly Said[][]): Promise<string[]> {
  const conversation = talk(user('Port the parser.'), steps.flat(), assistant('Done.'));
  const parameters = { superseded: { keepToolUses: 0 } };
  const { after } = await compact(conversation, { strategy: 'superseded', parameters });
  return after.messages.map(messageText).filter((text) => text.startsWith('[SUPERSEDED]'));
}

describe('the line in place of a file that was read again later', () => {
  it('leads to the newest reading while the file has not changed since', async () => {
    const marks = await marksAfter(read('1'), edit(), read('2'), edit(), read('3'));
    expect(marks).toEqual(Array(2).fill('[SUPERSEDED] read src/parser.ts was called again later; see there.'));
  });

  it('leads nowhere if the newest reading is out of date too', async () => {
    const marks = await marksAfter(read('1'), edit(), read('2'), edit());
    expect(marks).toEqual([
      '[SUPERSEDED] read src/parser.ts was called again later, and the file changed after that. Read it again if its text is needed.',
      '[SUPERSEDED] src/parser.ts was changed later. Read it again if its text is needed.',
    ]);
  });
});
