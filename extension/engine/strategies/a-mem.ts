import type { Strategy } from '../block/strategy';
import { Inquiry, writtenBlock } from '../memory/inquiry';
import { recollect } from '../memory/recollection';
import { localizable } from '../wording/localizable-text';
import { haloRules, planHalo } from './halo';
import { haloDefaults } from './halo-parameters';

/** `neighbours` is the value of A-MEM. */
export const noteDefaults = {
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

const defaults = { ...haloDefaults, ...noteDefaults };

/** Linked notes in the manner of A-MEM, without goal protection of its own (docs/specification/policies.md, "Strategies compared"). */
export const aMemStrategy: Strategy<typeof defaults> = {
  name: 'a-mem',
  title: localizable('A-MEM notes'),
  description: localizable(
    'Makes linked notes of everything but the newest turns, and replaces it by those notes that the current goal calls for.',
  ),
  defaults,
  searchesByMeaning: true,
  ...haloRules,
  plan: (input, parameters) => planHalo(input, { strategy: 'a-mem', parameters, summaryType: 'a_mem', sections: [] }),
  async write(order) {
    const settings = { ...defaults, ...order.plan.parameters };
    const inquiry = new Inquiry(order.tools.model, order.signal);
    const { text, spans, notes } = await recollect(order, settings, inquiry, order.request.maxTokens);
    return writtenBlock('a-mem', inquiry, { body: text, spans, memory: { notes } });
  },
};
