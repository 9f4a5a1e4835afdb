// clang-format off
/* The CUDA profiling tools interface (libcupti): FN(must|may, type, name, (arguments)). */
FN(must, CUptiResult, cuptiGetVersion, (uint32_t *version))
FN(must, CUptiResult, cuptiSubscribe, (CUpti_SubscriberHandle *subscriber, CUpti_CallbackFunc callback, void *user))
FN(must, CUptiResult, cuptiUnsubscribe, (CUpti_SubscriberHandle subscriber))
FN(must, CUptiResult, cuptiEnableCallback, (uint32_t on, CUpti_SubscriberHandle subscriber, CUpti_CallbackDomain domain, CUpti_CallbackId id))
FN(must, CUptiResult, cuptiActivityRegisterCallbacks, (CUpti_BuffersCallbackRequestFunc request, CUpti_BuffersCallbackCompleteFunc complete))
FN(must, CUptiResult, cuptiActivityEnable, (CUpti_ActivityKind kind))
FN(must, CUptiResult, cuptiActivityDisable, (CUpti_ActivityKind kind))
FN(must, CUptiResult, cuptiActivityFlushAll, (uint32_t flag))
FN(must, CUptiResult, cuptiActivityGetNextRecord, (uint8_t *buffer, size_t bytes, CUpti_Activity **record))
FN(must, CUptiResult, cuptiActivityGetNumDroppedRecords, (CUcontext context, uint32_t stream, size_t *dropped))
FN(must, CUptiResult, cuptiGetTimestamp, (uint64_t *ns))
FN(may, CUptiResult, cuptiGetResultString, (CUptiResult result, const char **text))
