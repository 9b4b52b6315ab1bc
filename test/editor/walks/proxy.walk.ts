import assert from 'node:assert/strict';
import { startProxy } from '../../builders/proxy.ts';
import { says, startModelServer } from '../../builders/scripted-model-server.ts';
import { openInTab, openSample } from '../inspector.ts';
import { walk } from '../walk.ts';

/**
 * Walks with the editor's proxy setting, and a proxy on the loopback interface that forwards every host to a scripted
 * server.
 */

const summary = [
  '## Strategy',
  'I read the renderer.',
  '## Operations',
  '- **read** | success',
  '## Status',
  'COMPLETE — by proxy.',
];

walk(
  'models of other machines are asked through the proxy of the editor, by the panel and by the gateway',
  async (openEditor) => {
    const model = await startModelServer(says(summary.join('\n')));
    const proxy = await startProxy(model.baseUrl);
    try {
      const { workbench } = await openSample(openEditor, {
        'http.proxy': proxy.url,
        'strata.summarizer.kind': 'openai',
        'strata.summarizer.openai.baseUrl': 'http://provider.test/v1',
        'strata.summarizer.openai.model': 'scripted',
        'strata.gateway.baseUrls': { openai: 'http://gateway.test/v1' },
        'strata.compaction.strategy': 'tool-calls',
      });
      const panel = await openInTab(workbench);
      await panel.getByRole('button', { name: 'Compact…' }).click();
      await panel.getByRole('button', { name: /^Preview(?: again)?$/ }).click();
      await workbench.page.getByRole('button', { name: 'Use This Model' }).click();
      await panel.getByText('Written by scripted', { exact: true }).waitFor();
      assert.ok(
        proxy.asked.some((address) => address.includes('provider.test')),
        `The proxy was asked for ${proxy.asked}.`,
      );

      await workbench.runAndChoose('Strata: Gateway: Start, Stop, Set Up…', 'Start Gateway');
      await workbench.waitForNotification(/The gateway of Strata runs at/);
      await workbench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await workbench.runAndChoose('Strata: Gateway: Start, Stop, Set Up…', 'Copy Setup…');
      await workbench.chooseItem('OpenAI SDK');
      await workbench.waitForNotification(/Copied\./);
      const address = (await workbench.page.evaluate(() => navigator.clipboard.readText())).replace(
        'export OPENAI_BASE_URL=',
        '',
      );
      const body = JSON.stringify({ model: 'scripted', messages: [{ role: 'user', content: 'Hello.' }] });
      const headers = { 'content-type': 'application/json', authorization: 'Bearer none' };
      const { status } = await fetch(`${address}/chat/completions`, { method: 'POST', headers, body });
      assert.equal(status, 200);
      assert.ok(
        proxy.asked.some((asked) => asked.includes('gateway.test')),
        `The proxy was asked for ${proxy.asked}.`,
      );
    } finally {
      proxy.close();
      model.close();
    }
  },
);
