import * as l10n from '@vscode/l10n';
import { takesCompactions } from '../../inside/doors';
import { effectOf } from '../../inspection/effect';
import type { Inspection } from '../../inspection/inspection';
import type { EffectSentences } from '../../protocol/view';
import { agentNames } from '../../sessions/session';

/** The effect of compactions and pins on the agent of this session, with its present setup. */
export function effectSentences({ session, isStrataInside }: Inspection): EffectSentences {
  const agent = agentNames[session.agent];
  const effect = effectOf({ session, isStrataInside });
  const canSetUp = !isStrataInside && takesCompactions(session.agent);
  switch (effect) {
    case 'next-request':
      return {
        compaction:
          session.agent === 'strata'
            ? l10n.t('Takes effect with the next message of this conversation.')
            : l10n.t('Takes effect in {0} with its next request.', agent),
        pins: l10n.t('Pins stay in the context word for word, whatever is compacted.'),
        canSetUp,
      };
    case 'next-compaction':
      return {
        compaction: l10n.t('Takes effect in {0} when it compacts next: /compact.', agent),
        pins: l10n.t('Strata is inside {0}: pins stay word for word, whatever is compacted there.', agent),
        canSetUp,
      };
    case 'when-asked':
      return {
        compaction: l10n.t('Takes effect in {0} with /strata compact there. Its own compaction stays as it is.', agent),
        pins: l10n.t('Pins stay after /strata compact in {0}. Its own compaction may drop them.', agent),
        canSetUp,
      };
    case 'new-session':
      return {
        compaction: canSetUp
          ? l10n.t(
              'Takes effect in a fork: {0} itself continues with its own context, unless Strata is set up there.',
              agent,
            )
          : l10n.t('Takes effect in a fork: {0} itself continues with its own context.', agent),
        pins: canSetUp
          ? l10n.t(
              'Pins stay in compactions by Strata and in forks. {0} may drop them when it compacts by itself, unless Strata is set up there.',
              agent,
            )
          : l10n.t(
              'Pins stay in compactions by Strata and in forks. {0} may drop them when it compacts by itself.',
              agent,
            ),
        canSetUp,
      };
    case 'nowhere':
      return {
        compaction: canSetUp
          ? l10n.t(
              'Has no effect in {0} unless Strata is set up there. A handoff can continue with fewer tokens.',
              agent,
            )
          : l10n.t(
              'Has no effect in {0}: Strata cannot write its sessions. A handoff can continue with fewer tokens.',
              agent,
            ),
        pins: canSetUp
          ? l10n.t('Pins have no effect in {0} unless Strata is set up there.', agent)
          : l10n.t('Pins have no effect in {0}, but a handoff includes them.', agent),
        canSetUp,
      };
  }
}
