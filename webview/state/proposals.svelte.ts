import type { Caller } from '../../extension/protocol/rpc';
import { plural } from './format';
import type { Notices } from './notices.svelte';

/** The search for goals, constraints and decisions in what was said. */
export class Proposals {
  isSearching = $state(false);
  readonly #request: Caller['request'];
  readonly #notices: Notices;

  constructor(request: Caller['request'], notices: Notices) {
    this.#request = request;
    this.#notices = notices;
  }

  find = async (): Promise<void> => {
    if (this.isSearching) return;
    this.isSearching = true;
    await this.#notices.watch(
      this.#request('propose-core', {}).then(({ added }) => this.#notices.tell(foundText(added))),
    );
    this.isSearching = false;
  };
}

function foundText(added: number): string {
  return added === 0
    ? 'Nothing new was found to propose.'
    : `${plural(added, 'proposal')} added. Accept or refuse each.`;
}

/** Who put an item forward, where it was not a person. */
export function proposerText(proposedBy: string | undefined): string {
  if (proposedBy === undefined) return 'proposed';
  return proposedBy === 'sentences' ? 'found in what was said' : `proposed by ${proposedBy}`;
}
