import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type EvaluationResults, resultsText } from './measure/evaluation-results';
import type { ReplayReport } from './measure/replay';

export interface PageParts {
  /** Of the built dashboard. */
  readonly script: string;
  readonly style: string;
  readonly results: EvaluationResults | null;
  readonly replay: ReplayReport | null;
  readonly title?: string;
}

/** The dashboard with its data as one page that needs no other file and no network. */
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
<noscript>This page draws its charts with a script of its own.</noscript>
${data.join('\n')}
<script type="module">${code}</script>
</body>
</html>
`;
}

/** Nothing but this very script may run, and nothing may be fetched. */
function contentPolicy(code: string): string {
  const hash = createHash('sha256').update(code).digest('base64');
  return `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'`;
}

/** Base64 has no character that means something in HTML. */
async function packed(id: string, text: string): Promise<string> {
  const bytes = await promisify(gzip)(text);
  return `<script type="application/gzip+base64" id="${id}">${bytes.toString('base64')}</script>`;
}

/**
 * A script ends at the first `</script`, and `<!--` can make it go on behind its end. In JavaScript both stand only in
 * strings, templates, patterns and comments, where the escapes mean the same. A line of its own for the source map goes.
 */
function scriptText(script: string): string {
  return script
    .replace(/^\/\/# sourceMappingURL=.*$/gm, '')
    .replace(/<(?=\/script)/gi, '\\x3c')
    .replace(/<(?=!--)/g, '\\x3c');
}

/** A style sheet ends at the first `</style`. */
function styleText(style: string): string {
  return style.replace(/<(?=\/style)/gi, '\\3c ');
}

function htmlText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
