import { withTemplateMarksEscaped } from '../language/quotation';

const impostor = /^[ \t]*(?:\*\*)?(?:\[(?:SUMMARIZED|GOAL BATCH|PRUNED|EXCLUDED)\]|PROTECTED CORE\b)/gim;

/** Zero-width characters could hide a mark from a reader and from the pattern below. */
const invisible = /[\u200B-\u200D\u2060\uFEFF]/g;

/**
 * Escapes lines that could pass for prompt structure, for another block or for the protected core. A block is read by a
 * model, so this holds for every body.
 */
export function withoutImpostors(body: string): string {
  return withTemplateMarksEscaped(body.replace(invisible, '')).replace(impostor, '> $&');
}
