"""The five publications, and what this program is compared with besides."""

from reproduce import bodin, cassell, gasphia, nbody, performance, sevic

DOCUMENTS = {document.name: document for document in (bodin, sevic, gasphia, cassell, nbody, performance)}
