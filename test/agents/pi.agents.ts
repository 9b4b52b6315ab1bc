import type { Agent } from './agent';
import { describeAgent } from './every-agent';
import { pi } from './pi';

await describeAgent(pi);

/** An extension that removes results from the context after every second step, and adds its own records. */
const extension = `export default function (pi) {
  pi.on('turn_end', (event) => {
    const targets = event.turnIndex % 2 === 1 ? event.toolResultEntryIds : [];
    const edits = targets.map((targetId, index) => ({
      type: 'context_edit',
      targetId,
      replacement: { content: 'The result ' + index + ' was taken out.' },
    }));
    const noted = { type: 'custom_message', customType: 'note', content: 'Noted step ' + event.turnIndex, display: false };
    const state = { type: 'custom', customType: 'pi.virtual-model-state', data: { provider: 'p', modelId: 'm', state: {} } };
    return { entries: [...event.entries, state, ...edits, ...(edits.length > 0 ? [noted] : [])] };
  });
}
`;
const withExtension = ['-e', '../extension.js'];

const editing: Agent = {
  ...pi,
  files: (place) => ({ ...pi.files(place), 'extension.js': extension }),
  prompt: (text) => ({ words: [...withExtension, '-p', text] }),
  resume: ({ file }, text) => ({ words: [...withExtension, '--session', file, '-p', text] }),
};

await describeAgent(editing, 'with an extension that edits its context');
