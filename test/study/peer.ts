import type { Prompt } from '../../extension/engine/block/language-model';
import type { Strategy, WriteOrder, WrittenBlock } from '../../extension/engine/block/strategy';
import type { SummaryRequest } from '../../extension/engine/block/summary';
import { continuationOf } from '../../extension/engine/prompts/continuation';
import { textWithin } from '../../extension/engine/prompts/pieces';
import { piecesOf } from '../../extension/engine/prompts/summary-prompt';
import { wordsFor } from '../../extension/engine/prompts/task';
import { haloRules, haloStrategy } from '../../extension/engine/strategies/halo';
import { haloDefaults, roomOfHalo, startsAtReserve } from '../../extension/engine/strategies/halo-parameters';
import { localizable } from '../../extension/engine/wording/localizable-text';
import { cleanAnswer } from '../../extension/summarizers/model/clean-answer';
import { outputCap } from '../../extension/summarizers/model/room';

const peer = {
  name: 'peer',
  title: localizable('Peer'),
  description: localizable('One summary by a prompt in the structure that a peer published.'),
  defaults: haloDefaults,
  write: writeAsPeer,
};

const { plan } = haloStrategy(peer, () => ({
  summaryType: 'checkpoint',
  details: { introduction: 'The conversation up to here was compacted into this summary:', unanchored: true },
}));

/** One summary with the headings that the pi coding agent publishes, and instructions in our own words. */
export const peerStrategy: Strategy = {
  ...peer,
  startsAt: (window) => startsAtReserve(window, haloDefaults),
  room: (size, parameters) => roomOfHalo(size, { ...haloDefaults, ...parameters }),
  untouchedFrom: (input, parameters) => haloRules.untouchedFrom(input, { ...haloDefaults, ...parameters }),
  plan: (input, parameters) => plan(input, { ...haloDefaults, ...parameters }),
};

async function writeAsPeer({ request, tools, signal }: WriteOrder): Promise<WrittenBlock> {
  const { model } = tools;
  if (!model) throw new TypeError('The peer of the study needs a model.');
  const { text, tokens } = await model.complete(promptOf(request), { maxTokens: outputCap(request.maxTokens), signal });
  const writer = { name: model.name, model: model.model };
  return { body: cleanAnswer(text, []), spans: [], tokensSpent: tokens, promptHash: null, writer };
}

const role =
  'You write summaries of conversations between a person and a coding agent. You do not continue the conversation and do not answer questions in it. You write the summary and nothing else.';

const structure = [
  '## Goal',
  'What the person wants to reach; several items if the session has several tasks.',
  '## Constraints & Preferences',
  'Requirements and preferences that the person named, or "(none)".',
  '## Progress',
  '### Done',
  'Finished tasks and changes, as "- [x] …".',
  '### In Progress',
  'Current work, as "- [ ] …".',
  '### Blocked',
  'What prevents progress, if anything does.',
  '## Key Decisions',
  'Each decision in bold, with a short reason.',
  '## Next Steps',
  'A numbered list of what should happen next.',
  '## Critical Context',
  'Data, examples and references that are needed to continue, or "(none)".',
];

function promptOf(request: SummaryRequest): Prompt {
  const continued = continuationOf(request);
  const turns = continued ? continued.since : request.turns;
  const pieces = piecesOf({ ...request, turns });
  const record = textWithin(pieces, Number.POSITIVE_INFINITY, request.countTokens);
  const earlier = continued ? ['<previous-summary>', ...continued.earlier, '</previous-summary>', ''] : [];
  const task = continued
    ? 'The messages above are new. Bring the summary in <previous-summary> up to date with them: keep all of it that still holds, add new progress, decisions and context, move what is finished from "In Progress" to "Done", and revise "Next Steps".'
    : 'The messages above are a conversation to summarise. Write a structured checkpoint that another model can continue the work from.';
  return {
    system: role,
    user: [
      '<conversation>',
      record,
      '</conversation>',
      '',
      ...earlier,
      `${task} Use exactly this format:`,
      '',
      ...structure,
      '',
      `Keep each section short, in at most ${wordsFor(request)} words in all. Keep exact file paths, function names and error messages.`,
    ].join('\n'),
  };
}
