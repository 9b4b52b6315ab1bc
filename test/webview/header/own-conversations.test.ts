import { describe, expect, it } from 'vitest';
import { OwnConversations } from '../../../webview/state/header/own-conversations.svelte';
import { Notices } from '../../../webview/state/notices.svelte';
import { testHost } from '../builders/view';

const three = { count: 3, size: '4.1 MB', folder: '/storage' };
const one = { count: 1, size: '2 kB', folder: '/storage' };

describe('kept conversations in the panel', () => {
  it('are as many as there are left after some were deleted', async () => {
    const host = testHost({ 'read-own-conversations': async () => three, 'manage-own-conversations': async () => one });
    const kept = new OwnConversations(host.request, new Notices());
    await kept.read();
    expect(kept.view).toEqual(three);
    await kept.manage();
    expect(kept.view).toEqual(one);
  });

  it('stay as they were, with a notice, if they cannot be deleted', async () => {
    const failing = async () => Promise.reject(new Error('The disk is read-only.'));
    const host = testHost({ 'read-own-conversations': async () => three, 'manage-own-conversations': failing });
    const notices = new Notices();
    const kept = new OwnConversations(host.request, notices);
    await kept.read();
    await kept.manage();
    expect(kept.view).toEqual(three);
    expect(notices.list).toMatchObject([{ tone: 'error', text: 'The disk is read-only.' }]);
  });
});
