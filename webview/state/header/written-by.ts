import type { SummarizerView } from '../../../extension/protocol/view';
import { t } from '../../l10n';

/** The text beside Compact: who writes the blocks. */
export function writtenBy({ label, usesModel }: SummarizerView): string {
  return usesModel ? t('written by {0}', label) : t('written without a model');
}
