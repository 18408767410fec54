"""The five documents."""

from reproduce import bodin, cassell, gasphia, nbody, sevic

DOCUMENTS = {document.name: document for document in (bodin, sevic, gasphia, cassell, nbody)}
