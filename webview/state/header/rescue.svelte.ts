import type { ForgottenGroup, RescueView } from '../../../extension/protocol/view';
import { t } from '../../l10n';
import type { SessionState } from '../session.svelte';

/** Items that the agent forgot, shown at the top of the panel. After it is dismissed, it reappears with the next compaction. */
export class Rescue {
  isOpen = $state(false);
  #dismissed = $state.raw<string | null>(null);

  constructor(private readonly session: SessionState) {}

  readonly shown: RescueView | null = $derived.by(() => {
    const rescue = this.session.view?.rescue ?? null;
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
  return t('{0} compacted its context, which no longer has: {1}.', agentName, summary);
}

const headings: Readonly<Record<ForgottenGroup['kind'], string>> = {
  message: t('Your messages'),
  open: t('Open items'),
  file: t('Changed files'),
};

export function forgottenHeading(kind: ForgottenGroup['kind']): string {
  return headings[kind];
}

/** The copied items: all but those that the user unticked. */
export class RescueChoice {
  without = $state.raw<readonly string[]>([]);

  has(key: string): boolean {
    return !this.without.includes(key);
  }

  toggle(key: string): void {
    this.without = this.has(key) ? [...this.without, key] : this.without.filter((other) => other !== key);
  }
}
