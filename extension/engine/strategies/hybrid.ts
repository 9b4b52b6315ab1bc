import type { Strategy } from '../block/strategy';
import { Inquiry, writtenBlock } from '../memory/inquiry';
import { indexObservations } from '../memory/observation-index';
import { recollect } from '../memory/recollection';
import { localizable } from '../wording/localizable-text';
import { noteDefaults } from './a-mem';
import { haloRules, planHalo } from './halo';
import { haloDefaults } from './halo-parameters';
import { observationDefaults } from './observations';

const defaults = { ...haloDefaults, ...noteDefaults, ...observationDefaults };

/** Share of the block for notes. They state what was said and decided; the index only says where to look. */
const shareOfNotes = 0.75;

/**
 * Recall by notes and observations beside the protected core (docs/specification/policies.md, "Strategies compared"). Notes that
 * repeat the core word for word are left out.
 */
export const hybridStrategy: Strategy<typeof defaults> = {
  name: 'hybrid',
  title: localizable('Hybrid memory'),
  description: localizable(
    'Replaces everything but the newest turns by notes as in A-MEM and an index of observations, beside the protected core.',
  ),
  defaults,
  searchesByMeaning: true,
  ...haloRules,
  plan: (input, parameters) => planHalo(input, { strategy: 'hybrid', parameters, summaryType: 'hybrid', sections: [] }),
  async write(order) {
    const { request, plan, tools, signal } = order;
    const settings = { ...defaults, ...plan.parameters };
    const inquiry = new Inquiry(tools.model, signal);
    const roomForNotes = Math.floor(request.maxTokens * shareOfNotes);
    const { text: notesText, spans, notes } = await recollect(order, settings, inquiry, roomForNotes);
    const left = request.maxTokens - request.countTokens(`${notesText}\n\n`);
    const { text: indexText, ...observed } = await indexObservations(
      order,
      { ...settings, isSummaryWhole: false },
      inquiry,
      left,
    );
    return writtenBlock('hybrid', inquiry, {
      body: `${notesText}\n\n${indexText}`,
      spans,
      memory: { notes, ...observed },
    });
  },
};
