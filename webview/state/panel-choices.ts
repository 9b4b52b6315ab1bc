export type Tab = 'timeline' | 'compactions' | 'core' | 'preview' | 'evaluate';
/** The preview tab shows one strategy in full, or a comparison of all of them. */
export type PreviewMode = 'one' | 'compare';
export type DiffLayout = 'inline' | 'side-by-side';
