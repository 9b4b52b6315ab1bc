import type { WriteOrder, WrittenBlock } from '../block/strategy';
import { Inquiry, writtenBlock } from '../memory/inquiry';
import { indexObservations } from '../memory/observation-index';
import { recollect } from '../memory/recollection';
import { localizable } from '../wording/localizable-text';
import { haloStrategy } from './halo';
import { haloDefaults } from './halo-parameters';

/** `neighbours` is the value of A-MEM. */
const noteDefaults = {
  /** Number of nearest notes that a new note is compared with. */
  neighbours: 5,
  /** Number of notes that a query retrieves, not counting the notes that they link to. */
  retrieved: 40,
  /** Maximum number of new notes per block. */
  notesPerBlock: 40,
  /**
   * Minimum cosine, in percent, at which two notes are linked without a model. Most pairs of real sessions are below
   * it.
   */
  linkAtPercent: 80,
};

/** The numbers shown are the values of claude-mem. */
const observationDefaults = {
  /** Maximum number of new observations per block. */
  observationsPerBlock: 100,
  observationsShown: 50,
  summariesShown: 10,
};

/** Linked notes in the manner of A-MEM, without goal protection of its own (docs/specification/policies.md, "Strategies compared"). */
export const aMemStrategy = haloStrategy({
  name: 'a-mem',
  title: localizable('A-MEM notes'),
  description: localizable(
    'Makes linked notes of everything but the newest turns, and replaces it by those notes that the current goal calls for.',
  ),
  defaults: { ...haloDefaults, ...noteDefaults },
  searchesByMeaning: true,
  write: remembering(noteDefaults, async (order, settings, inquiry) => {
    const { text, spans, notes } = await recollect(order, settings, inquiry, order.request.maxTokens);
    return { body: text, spans, memory: { notes } };
  }),
});

/** An index of observations in the manner of claude-mem (docs/specification/policies.md, "Strategies compared"). */
export const observationsStrategy = haloStrategy({
  name: 'observations',
  title: localizable('Observations'),
  description: localizable(
    'Records what was built or learned by tools in everything but the newest turns, and replaces it by an index; each record can be fetched whole.',
  ),
  defaults: { ...haloDefaults, ...observationDefaults },
  write: remembering(observationDefaults, async (order, settings, inquiry) => {
    const { text, ...memory } = await indexObservations(order, settings, inquiry, order.request.maxTokens);
    return { body: text, spans: [], memory };
  }),
});

/** Share of the block for notes. They state what was said and decided; the index only says where to look. */
const shareOfNotes = 0.75;

/**
 * Recall by notes and observations beside the protected core (docs/specification/policies.md, "Strategies compared"). Notes that
 * repeat the core word for word are left out.
 */
export const hybridStrategy = haloStrategy({
  name: 'hybrid',
  title: localizable('Hybrid memory'),
  description: localizable(
    'Replaces everything but the newest turns by notes as in A-MEM and an index of observations, beside the protected core.',
  ),
  defaults: { ...haloDefaults, ...noteDefaults, ...observationDefaults },
  searchesByMeaning: true,
  write: remembering({ ...noteDefaults, ...observationDefaults }, async (order, settings, inquiry) => {
    const { maxTokens, countTokens } = order.request;
    const notes = await recollect(order, settings, inquiry, Math.floor(maxTokens * shareOfNotes));
    const left = maxTokens - countTokens(`${notes.text}\n\n`);
    const forIndex = { ...settings, isSummaryWhole: false };
    const { text, ...observed } = await indexObservations(order, forIndex, inquiry, left);
    return { body: `${notes.text}\n\n${text}`, spans: notes.spans, memory: { notes: notes.notes, ...observed } };
  }),
});

/** Writes a block with the plan's parameters, and adds the cost of the requests to a model. */
function remembering<P extends object>(
  defaults: P,
  write: (order: WriteOrder, settings: P, inquiry: Inquiry) => Promise<Parameters<typeof writtenBlock>[2]>,
): (order: WriteOrder) => Promise<WrittenBlock> {
  return async (order) => {
    const { plan, tools, signal } = order;
    const inquiry = new Inquiry(tools.model, signal);
    return writtenBlock(plan.strategy, inquiry, await write(order, { ...defaults, ...plan.parameters }, inquiry));
  };
}
