# R: a loop over parts. Its argument: in so many processes (mclapply); and "compiled": of a compiled function.
advised <- commandArgs(trailingOnly = TRUE)
length_s <- as.numeric(Sys.getenv("FAULT_SECONDS", "4"))
work <- function(i) { s <- 0; for (k in 1:200000) s <- s + sqrt(k) * i; s }
if (length(advised) > 1) work <- compiler::cmpfun(work)
calls <- 0
begin <- proc.time()[["elapsed"]]
while (proc.time()[["elapsed"]] < begin + length_s) {
    if (length(advised)) parallel::mclapply(1:40, work, mc.cores = as.integer(advised[1])) else lapply(1:40, work)
    calls <- calls + 40
}
cat(calls / (proc.time()[["elapsed"]] - begin), "pieces of work a second\n")
