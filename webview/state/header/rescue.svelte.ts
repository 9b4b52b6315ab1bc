import type { ForgottenGroup, RescueView } from '../../../extension/protocol/view';
import { t } from '../../l10n';
import type { SessionState } from '../session.svelte';

/** What the agent forgot, at the top of the panel. Dismissed for one compaction, it comes again with the next. */
export class Rescue {
  isOpen = $state(false);
  #dismissed = $state.raw<string | null>(null);
  readonly #session: SessionState;

  constructor(session: SessionState) {
    this.#session = session;
  }

  readonly shown: RescueView | null = $derived.by(() => {
    const rescue = this.#session.view?.rescue ?? null;
    return rescue?.compactionId === this.#dismissed ? null : rescue;
  });

  toggle = (): void => {
    this.isOpen = !this.isOpen;
  };

  dismiss = (): void => {
    this.#dismissed = this.shown?.compactionId ?? null;
  };

  reset(): void {
    this.isOpen = false;
    this.#dismissed = null;
  }
}

export function rescueText(agentName: string, { summary }: RescueView): string {
  return t('{0} compacted its context and forgot: {1}.', agentName, summary);
}

const headings: Readonly<Record<ForgottenGroup['kind'], string>> = {
  goal: t('Goals'),
  rule: t('Rules'),
  request: t('Last requests'),
  decision: t('Decisions'),
  finding: t('Findings'),
  open: t('Open work'),
};

export function forgottenHeading(kind: ForgottenGroup['kind']): string {
  return headings[kind];
}

const speakers: Readonly<Record<ForgottenGroup['items'][number]['source'], string>> = {
  person: t('you'),
  agent: t('agent'),
  plan: t('to-do list'),
  command: t('failed'),
};

/** Whose words these are. */
export function speakerText(source: ForgottenGroup['items'][number]['source']): string {
  return speakers[source];
}
