/** A piece of code; `scope` is the class that the grammar gives it, such as `hljs-keyword`, or nothing. */
export interface CodePiece {
  readonly text: string;
  readonly scope: string;
}

/** UTF-16 units; grammars search back and forth, and more than this is read in an editor. */
const longest = 20_000;

/** The grammars are loaded with the first code that names its language. Null: the code shows in one colour. */
export async function highlight(code: string, language: string): Promise<readonly CodePiece[] | null> {
  if (language === '' || code.length > longest) return null;
  const { piecesOf } = await import('./highlighter');
  return piecesOf(code, language);
}
