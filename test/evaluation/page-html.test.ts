import { createHash } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pageHtml } from '../../extension/evaluation/page-html';
import { evaluationResults } from '../builders/evaluation';

const nothing = { script: '', style: '', results: null, replay: null };

/** The script as an HTML parser sees it: it ends at the first `</script`. */
function scriptIn(html: string): string {
  return /<script type="module">([\s\S]*?)<\/script/i.exec(html)?.[1] ?? '';
}

describe('the page of the dashboard', () => {
  it('keeps a script in one piece with the same meaning, whatever its strings contain', async () => {
    const pieces = fc.constantFrom('</script>', '</SCRIPT', '<!--', '<script', '-->', 'a', '\\', '"');
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { maxLength: 8 }), async (parts) => {
        const text = parts.join('');
        const script = scriptIn(await pageHtml({ ...nothing, script: `result = ${JSON.stringify(text)};` }));
        const sandbox = { result: '' };
        runInNewContext(script, sandbox);
        expect(sandbox.result).toBe(text);
        expect(script).not.toContain('<!--');
      }),
    );
  });

  it('allows only its own script to run and forbids requests', async () => {
    const html = await pageHtml({
      ...nothing,
      script: 'const a = "</script>";\n//# sourceMappingURL=dashboard.js.map',
    });
    const hash = createHash('sha256').update(scriptIn(html)).digest('base64');
    expect(html).toContain(`content="default-src 'none'; script-src 'sha256-${hash}';`);
    expect(html).not.toContain('sourceMappingURL');
  });

  it('keeps style and title inside their elements', async () => {
    const html = await pageHtml({ ...nothing, style: 'a::after{content:"</style><b>"}', title: '</title><b>"&' });
    expect(html.match(/<\/style/g)).toHaveLength(1);
    expect(html).toContain('<title>&lt;/title&gt;&lt;b&gt;&quot;&amp;</title>');
  });

  it('packs hostile texts, so that they never become part of the page', async () => {
    const { header, units } = evaluationResults({ tasks: 1, seeds: [1] });
    const hostile = '</script><script>alert(1)</script>';
    const html = await pageHtml({ ...nothing, results: { header, units, texts: new Map([['a', hostile]]) } });
    expect(html).not.toContain('alert(1)');
    expect(html.match(/<script/g)).toHaveLength(2);
  });
});
