export type Tab = 'timeline' | 'compactions' | 'core' | 'preview' | 'evaluate';
/** The preview tab shows one strategy in full, or all of them side by side. */
export type PreviewMode = 'one' | 'compare';
export type DiffLayout = 'inline' | 'side-by-side';
