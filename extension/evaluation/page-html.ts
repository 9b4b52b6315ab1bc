import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type EvaluationResults, resultsText } from './measure/evaluation-results';
import type { ReplayReport } from './measure/replay';

export interface PageParts {
  /** JavaScript of the built dashboard. */
  readonly script: string;
  readonly style: string;
  readonly results: EvaluationResults | null;
  readonly replay: ReplayReport | null;
  readonly title?: string;
}

/** The dashboard and its data as one page. It needs no other file and no network. */
export async function pageHtml({
  script,
  style,
  results,
  replay,
  title = 'Strata: goal drift under compaction',
}: PageParts): Promise<string> {
  const code = scriptText(script);
  const data = [
    ...(results ? [await packed('strata-results', resultsText(results))] : []),
    ...(replay ? [await packed('strata-replay', JSON.stringify(replay))] : []),
  ];
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentPolicy(code)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${htmlText(title)}</title>
<style>${styleText(style)}</style>
</head>
<body>
<div id="strata"></div>
<noscript>This page needs JavaScript to draw its charts.</noscript>
${data.join('\n')}
<script type="module">${code}</script>
</body>
</html>
`;
}

/** Allows only this script to run, by its hash, and forbids every request. */
function contentPolicy(code: string): string {
  const hash = createHash('sha256').update(code).digest('base64');
  return `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'`;
}

/** Base64 contains no character with a meaning in HTML. */
async function packed(id: string, text: string): Promise<string> {
  const bytes = await promisify(gzip)(text);
  return `<script type="application/gzip+base64" id="${id}">${bytes.toString('base64')}</script>`;
}

/**
 * Escapes `</script`, which ends a script element, and `<!--`, which can extend it. JavaScript has both only in strings,
 * templates, regular expressions and comments, where the escapes mean the same. Drops source map lines.
 */
function scriptText(script: string): string {
  return script
    .replace(/^\/\/# sourceMappingURL=.*$/gm, '')
    .replace(/<(?=\/script)/gi, '\\x3c')
    .replace(/<(?=!--)/g, '\\x3c');
}

/** Escapes `</style`, which ends a style element. */
function styleText(style: string): string {
  return style.replace(/<(?=\/style)/gi, '\\3c ');
}

function htmlText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
