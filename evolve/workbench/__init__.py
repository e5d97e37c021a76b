"""The workbench: a person edits a list of rules; its games are measured after each edit.

edited_list    the list as a browser sends it, read with the place of each error; agent files
list_scores    the points of lists on fixed deals, kept so that any two lists can be paired
job_queue      one thread that measures, in blocks of some milliseconds, by priority
measurements   jobs: score, worth of each entry, changed games
library_sweep  the library as data; files of user rules; a job: what each rule would add to a list
improvement    a job: a short local search whose offers are proved on fresh deals
service        all that a page may ask for, as data, here or in a process of its own
"""
