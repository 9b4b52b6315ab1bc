import { common, createLowlight } from 'lowlight';

/** A piece of code; `scope` is its class from the grammar, such as `hljs-keyword`, or empty. */
export interface CodePiece {
  readonly text: string;
  readonly scope: string;
}

const lowlight = createLowlight(common);
lowlight.registerAlias({ typescript: ['svelte', 'mts', 'cts'], json: ['jsonl', 'jsonc'], bash: ['console'] });

type Node = ReturnType<typeof lowlight.highlight>['children'][number];

/** The pieces of code in this language; null if the language is unknown. */
export function piecesOf(code: string, language: string): CodePiece[] | null {
  if (!lowlight.registered(language)) return null;
  const pieces: CodePiece[] = [];
  for (const node of lowlight.highlight(language, code).children) collect(node, '', pieces);
  return pieces;
}

function collect(node: Node, scope: string, pieces: CodePiece[]): void {
  if (node.type === 'text') pieces.push({ text: node.value, scope });
  if (node.type !== 'element') return;
  const [own] = Array.isArray(node.properties.className) ? node.properties.className : [];
  for (const child of node.children) collect(child, own === undefined ? scope : String(own), pieces);
}
