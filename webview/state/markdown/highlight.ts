import type { CodePiece } from './highlighter';

/** Maximum length in UTF-16 units: grammars are slow on long code, which is better read in an editor. */
const longest = 20_000;

/** Loads the grammars on the first code that names its language. Null: the code is shown in one colour. */
export async function highlight(code: string, language: string): Promise<readonly CodePiece[] | null> {
  if (language === '' || code.length > longest) return null;
  const { piecesOf } = await import('./highlighter');
  return piecesOf(code, language);
}
