import { withTemplateMarksEscaped } from '../language/quotation';

const impostor = /^[ \t]*(?:\*\*)?(?:\[(?:SUMMARIZED|GOAL BATCH|PRUNED|EXCLUDED)\]|PROTECTED CORE\b)/gim;

/** What is invisible could hide a mark from the eye and from the pattern. */
const invisible = /[\u200B-\u200D\u2060\uFEFF]/g;

/**
 * A block is read by another model, so nothing in its body, whoever wrote it, may pass for the marks of a prompt, for
 * another block or for the protected core.
 */
export function withoutImpostors(body: string): string {
  return withTemplateMarksEscaped(body.replace(invisible, '')).replace(impostor, '> $&');
}
