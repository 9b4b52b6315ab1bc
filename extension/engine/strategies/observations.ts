import type { Strategy } from '../block/strategy';
import { Inquiry, writtenBlock } from '../memory/inquiry';
import { indexObservations } from '../memory/observation-index';
import { localizable } from '../wording/localizable-text';
import { haloRules, planHalo } from './halo';
import { haloDefaults } from './halo-parameters';

/** The numbers shown are the values of claude-mem. */
export const observationDefaults = {
  /** Maximum number of new observations per block. */
  observationsPerBlock: 100,
  observationsShown: 50,
  summariesShown: 10,
};

const defaults = { ...haloDefaults, ...observationDefaults };

/** An index of observations in the manner of claude-mem (docs/specification/policies.md, "Strategies compared"). */
export const observationsStrategy: Strategy<typeof defaults> = {
  name: 'observations',
  title: localizable('Observations'),
  description: localizable(
    'Records what was built or learned by tools in everything but the newest turns, and replaces it by an index; each record can be fetched whole.',
  ),
  defaults,
  ...haloRules,
  plan: (input, parameters) =>
    planHalo(input, { strategy: 'observations', parameters, summaryType: 'observations', sections: [] }),
  async write(order) {
    const settings = { ...defaults, ...order.plan.parameters };
    const inquiry = new Inquiry(order.tools.model, order.signal);
    const { text, ...memory } = await indexObservations(order, settings, inquiry, order.request.maxTokens);
    return writtenBlock('observations', inquiry, { body: text, spans: [], memory });
  },
};
