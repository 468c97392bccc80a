import { addComponent } from './add-component.ts';
import { addContentSource } from './add-content-source.ts';
import { addScope } from './add-scope.ts';
import { addStore } from './add-store.ts';
import { removeContentSource } from './remove-content-source.ts';
import { setComponentState } from './set-component-state.ts';

/** What operators do with a topology: the specification has no procedures for it. */
export const topologyExtensions = [
  addComponent,
  addContentSource,
  addScope,
  addStore,
  removeContentSource,
  setComponentState,
];
